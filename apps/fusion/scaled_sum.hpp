// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/arrays.hpp>
#include <fusion/kernels.hpp>
#include <fusion/unfused.hpp>
#include <fusion/variant.hpp>

#include <onetrip/onetrip.hpp>

#include <limits>
#include <string>
#include <vector>

// The case scaled_sum: out = (a + b) * c / s

namespace fusion {

namespace unfused {

inline constexpr traffic scaled_sum_traffic{5, 3};

/// A kernel for each operation: a, b; sum, c; product.
template <class T>
void scaled_sum(array<T> const& a, array<T> const& b, array<T> const& c, T s, array<T> const& sum,
                array<T> const& product, array<T> const& out) {
  add(a, b, sum);
  multiply(sum, c, product);
  divide(product, s, out);
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

template <class T>
struct scaled_sum_answer {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return scaled_sum_expected<T>(i); }
};

template <class T>
struct scaled_sum_case {
  using value_type = T;
  static constexpr char const* name = "scaled_sum";
  static constexpr bool in_place = false;

  std::string formula() const { return "out = (a + b) * c / s"; }
  std::vector<variant> variants() const { return scaled_sum_variants(x); }
  void prepare() const { poison(x); }
  template <class F>
  void for_each_answer(F const& f) const {
    f(x.out, scaled_sum_answer<T>{});
  }

  arrays<T> x;
};

} // namespace fusion
