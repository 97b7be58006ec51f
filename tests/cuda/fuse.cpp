// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

// Groups of each sort: many outputs, reductions, half, layouts that differ, the user's function.

using onetrip::in;
using onetrip::store;
template <class T>
using array = Kokkos::View<T*>;

void adamw(Kokkos::DefaultExecutionSpace const& exec, array<float> const& p, array<float> const& m,
           array<float> const& v, array<float const> const& g, Kokkos::View<float> const& rate) {
  onetrip::fuse(exec, "adamw", store(m, 0.9 * in(m) + 0.1 * in(g)), store(v, 0.999 * in(v) + 0.001 * in(g)*g),
                store(p, in(p) * 0.99 - in(rate)*m / (onetrip::sqrt(v) + 1e-8)));
}

double chain_and_norm(Kokkos::DefaultExecutionSpace const& exec, array<double> const& x, array<float> const& y,
                      array<Kokkos::Experimental::half_t> const& h, Kokkos::View<float> const& least) {
  double norm = 0;
  onetrip::fuse(exec, "norm", store(x, (in(x) + y) * h / 3.0), onetrip::norm2_squared(norm, x),
                onetrip::min_of(least, y));
  return norm;
}

void with_options(Kokkos::DefaultExecutionSpace const& exec, array<double> const& x, array<float> const& y,
                  Kokkos::View<double> const& norm) {
  auto const product = onetrip::let<"product">(in(x)*y);
  onetrip::fuse(exec, "options", onetrip::same_bits | onetrip::reproducible | onetrip::allow_temporary,
                store(x, product + 1.0), onetrip::dot(norm, product, x), onetrip::sum(norm, product));
}

struct limited {
  KOKKOS_FUNCTION double operator()(double a, std::int64_t i) const { return a > 1 ? 1 : a * static_cast<double>(i); }
};

void of_rank_3(Kokkos::DefaultExecutionSpace const& exec, Kokkos::View<double***, Kokkos::LayoutLeft> const& out,
               Kokkos::View<double const***, Kokkos::LayoutRight> const& a, array<double> const& row) {
  onetrip::assign(exec, out, onetrip::map(limited{}, in(a)*row, onetrip::index<1>()) + onetrip::where(in(a) > 0, a, 2));
}

class solver { // nvcc takes no extended lambda in private members
  void step() { onetrip::assign(Kokkos::DefaultExecutionSpace(), m_z, in(m_z)*Kokkos::complex<double>(0, 1)); }
  array<Kokkos::complex<double>> m_z;

public:
  void run() { step(); }
};

void run(solver& s) { s.run(); }
