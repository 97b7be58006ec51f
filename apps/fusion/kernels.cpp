// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/kernels.hpp>

#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>
#include <KokkosBlas1_mult.hpp>
#include <KokkosBlas1_scal.hpp>
#include <KokkosBlas1_update.hpp>

namespace fusion::kernels {

template <class T>
void scaled_sum(array<T> const& a, array<T> const& b, array<T> const& c, T s, array<T> const& sum,
                array<T> const& product, array<T> const& out) {
  KokkosBlas::update(T(1), a, T(1), b, T(0), sum);
  KokkosBlas::mult(T(0), product, T(1), sum, c);
  KokkosBlas::scal(out, T(1) / s, product);
}

template void scaled_sum(array<float> const&, array<float> const&, array<float> const&, float, array<float> const&,
                         array<float> const&, array<float> const&);
template void scaled_sum(array<double> const&, array<double> const&, array<double> const&, double, array<double> const&,
                         array<double> const&, array<double> const&);

template <class T>
void norm(array<T> const& a, array<T> const& b, array<T> const& mean, scalar const& result) {
  KokkosBlas::update(T(0.5), a, T(0.5), b, T(0), mean);
  KokkosBlas::dot(result, mean, mean);
}

template void norm(array<float> const&, array<float> const&, array<float> const&, scalar const&);
template void norm(array<double> const&, array<double> const&, array<double> const&, scalar const&);

void adamw(adamw_numbers<float> const& c, adamw_arrays const& x) {
  KokkosBlas::axpby(c.rest1, x.gradient, c.beta1, x.m);
  KokkosBlas::mult(c.beta2, x.v, c.rest2, x.gradient, x.gradient);
  array<float> const parameter = x.parameter, m = x.m, v = x.v;
  Kokkos::parallel_for(
      "fusion::kernels::adamw", range(0, static_cast<std::int64_t>(m.size())), KOKKOS_LAMBDA(std::int64_t i) {
        parameter(i) -=
            c.rate * (c.correct1 * m(i) / (Kokkos::sqrt(c.correct2 * v(i)) + c.epsilon) + c.decay * parameter(i));
      });
}

} // namespace fusion::kernels
