// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <cstdint>

// Marchers of each sort: both types, all ends, a rule that reads.

template <class T>
using array = Kokkos::View<T*>;

template <class T>
struct heat {
  T r;

  KOKKOS_FUNCTION T operator()(T left, T centre, T right) const {
    return Kokkos::fma(r, Kokkos::fma(T(-2), centre, left + right), centre);
  }
};

struct layers {
  array<double const> r;

  KOKKOS_FUNCTION double operator()(double left, double centre, double right, std::int64_t i, std::int64_t) const {
    return Kokkos::fma(r(i), Kokkos::fma(-2.0, centre, left + right), centre);
  }
};

struct tide {
  KOKKOS_FUNCTION double operator()(onetrip::end where, std::int64_t step) const {
    return where == onetrip::end::left ? Kokkos::sin(0.1 * static_cast<double>(step)) : 0;
  }
};

void float_and_double(Kokkos::DefaultExecutionSpace const& exec, array<double> const& u, array<float> const& v) {
  onetrip::march(exec, u, 1000, heat<double>{0.25}, onetrip::fixed_ends{});
  onetrip::march(exec, v, 1000, heat<float>{0.25F}, onetrip::insulated_ends{});
}

void other_ends(Kokkos::DefaultExecutionSpace const& exec, array<double> const& u, array<double const> const& r) {
  onetrip::marcher periodic(exec, u.size(), layers{r}, onetrip::periodic_ends{});
  periodic(u, 1000);
  onetrip::marcher driven(exec, u.size(), heat<double>{0.25}, onetrip::driven_ends{tide{}});
  driven(u, 1000);
}
