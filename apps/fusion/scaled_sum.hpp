// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/arrays.hpp>
#include <fusion/kernels.hpp>
#include <fusion/variant.hpp>

#include <onetrip/onetrip.hpp>

#include <limits>
#include <vector>

// The case scaled_sum: out = (a + b) * c / s

namespace fusion {

namespace unfused {

inline constexpr traffic scaled_sum_traffic{5, 3};

/// A kernel for each operation: a, b; sum, c; product.
template <class T>
void scaled_sum(array<T> const& a, array<T> const& b, array<T> const& c, T s, array<T> const& sum,
                array<T> const& product, array<T> const& out) {
  range const all(0, static_cast<std::int64_t>(out.size()));
  Kokkos::parallel_for("fusion::unfused::add", all, KOKKOS_LAMBDA(std::int64_t i) { sum(i) = a(i) + b(i); });
  Kokkos::parallel_for("fusion::unfused::multiply", all, KOKKOS_LAMBDA(std::int64_t i) { product(i) = sum(i) * c(i); });
  Kokkos::parallel_for("fusion::unfused::divide", all, KOKKOS_LAMBDA(std::int64_t i) { out(i) = product(i) / s; });
}

} // namespace unfused

namespace fused {

inline constexpr traffic scaled_sum_traffic{3, 1};

/// One kernel for all: a, b, c.
template <class T>
void scaled_sum(array<T> const& a, array<T> const& b, array<T> const& c, T s, array<T> const& out) {
  Kokkos::parallel_for(
      "fusion::fused::scaled_sum", range(0, static_cast<std::int64_t>(out.size())),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = (a(i) + b(i)) * c(i) / s; });
}

} // namespace fused

namespace expression {

inline constexpr traffic scaled_sum_traffic{3, 1};

/// The formula itself: one kernel.
template <class T>
void scaled_sum(array<T> const& a, array<T> const& b, array<T> const& c, T s, array<T> const& out) {
  using onetrip::in;
  onetrip::assign(execution_space(), out, (in(a) + b) * c / s);
}

} // namespace expression

/// The serial answer for element `i`.
template <class T>
KOKKOS_FUNCTION T scaled_sum_expected(std::int64_t i) {
  return (input<T>(0, i) + input<T>(1, i)) * input<T>(2, i) / divisor<T>;
}

/// The variants of this build, unfused first.
template <class T>
std::vector<variant> scaled_sum_variants(arrays<T> const& x) {
  constexpr double by_inverse = 2.0 * std::numeric_limits<T>::epsilon();
  std::vector<variant> variants;
  variants.push_back({"unfused", unfused::scaled_sum_traffic, 0,
                      [x] { unfused::scaled_sum(x.a, x.b, x.c, divisor<T>, x.sum, x.product, x.out); }});
  if constexpr (kernels::available)
    variants.push_back({"kernels", kernels::scaled_sum_traffic, by_inverse,
                        [x] { kernels::scaled_sum(x.a, x.b, x.c, divisor<T>, x.sum, x.product, x.out); }});
  variants.push_back(
      {"fused", fused::scaled_sum_traffic, 0, [x] { fused::scaled_sum(x.a, x.b, x.c, divisor<T>, x.out); }});
  variants.push_back({"expression", expression::scaled_sum_traffic, 0,
                      [x] { expression::scaled_sum(x.a, x.b, x.c, divisor<T>, x.out); }});
  return variants;
}

} // namespace fusion
