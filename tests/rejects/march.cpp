// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wrong.hpp"

#include <onetrip/onetrip.hpp>

// Wrong uses of march, in the manner of wrong.hpp. Never run.

struct mean {
  KOKKOS_FUNCTION double operator()(double left, double centre, double right) const {
    return (left + centre + right) / 3;
  }
};

struct not_const {
  KOKKOS_FUNCTION double operator()(double left, double, double) { return left; }
};

struct of_two {
  KOKKOS_FUNCTION double operator()(double left, double right) const { return left + right; }
};

struct of_integers {
  KOKKOS_FUNCTION int operator()(int left, int, int) const { return left; }
};

struct without_end {
  KOKKOS_FUNCTION double operator()(std::int64_t) const { return 0; }
};

struct with_end {
  KOKKOS_FUNCTION double operator()(onetrip::end, std::int64_t) const { return 0; }
};

void wrong_uses_of_march() {
  Kokkos::DefaultExecutionSpace const exec;
  Kokkos::View<double*> const u("u", 3);
  Kokkos::View<double const*> const constant = u;
  Kokkos::View<float*> const single("single", 3);
  Kokkos::View<double**> const matrix("matrix", 3, 3);
  onetrip::fixed_ends const fixed;

  onetrip::march(exec, u, 1, mean{}, fixed);
  LATER(onetrip::march(exec, u, 1, not_const{}, fixed);)  // rejected: the update must be callable, const, as
  LATER(onetrip::march(exec, u, 1, of_two{}, fixed);)     // rejected: the update must be callable, const, as
  LATER(onetrip::march(exec, matrix, 1, mean{}, fixed);)  // rejected: onetrip::march: marches Views of rank 1
  WRONG(onetrip::marcher(exec, 3, of_integers{}, fixed);) // rejected: marches float and double
  onetrip::march(exec, u, 1, mean{}, onetrip::driven_ends{with_end{}});
  LATER(onetrip::march(exec, u, 1, mean{}, onetrip::driven_ends{without_end{}});) // rejected: the ends are fixed_ends
  onetrip::marcher m(exec, 3, mean{}, fixed);
  m(u, 1);
  LATER(m(constant, 1);) // rejected: not of the marcher's type, or const
  LATER(m(single, 1);)   // rejected: not of the marcher's type, or const
  LATER(m(matrix, 1);)   // rejected: onetrip::marcher: marches Views of rank 1
#ifdef KOKKOS_ENABLE_CUDA
  Kokkos::View<double*, Kokkos::HostSpace> const on_host("on_host", 3);
  LATER(m(on_host, 1);) // rejected with CUDA: the View's memory is not accessible from the marcher's execution space
#endif
}
