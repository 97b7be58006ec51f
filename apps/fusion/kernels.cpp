// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/kernels.hpp>

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

} // namespace fusion::kernels
