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

// The case norm: the sum of ((a + b) / 2)^2, in double whatever the type

namespace fusion {

namespace unfused {

inline constexpr traffic norm_traffic{5, 3};

/// A kernel for each operation: a, b; sum; mean; square.
template <class T>
void norm(array<T> const& a, array<T> const& b, array<T> const& sum, array<T> const& mean, array<T> const& square,
          scalar const& result) {
  add(a, b, sum);
  divide(sum, T(2), mean);
  multiply(mean, mean, square);
  unfused::sum(square, result);
}

} // namespace unfused

namespace fused {

inline constexpr traffic norm_traffic{2, 0};

/// One kernel for all: a, b.
template <class T>
void norm(array<T> const& a, array<T> const& b, scalar const& result) {
  Kokkos::parallel_reduce(
      "fusion::fused::norm", range(0, static_cast<std::int64_t>(a.size())),
      KOKKOS_LAMBDA(std::int64_t i, double& sum) {
        auto const mean = static_cast<double>((a(i) + b(i)) / 2);
        sum += mean * mean;
      },
      result);
}

} // namespace fused

namespace expression {

inline constexpr traffic norm_traffic{2, 0};

/// One kernel.
template <class T>
void norm(array<T> const& a, array<T> const& b, scalar const& result) {
  onetrip::fuse(execution_space(), "norm", onetrip::norm2_squared(result, (onetrip::in(a) + b) / 2));
}

} // namespace expression

/// The exact sum for the inputs of the program, rounded once: in integers, on the device.
double norm_expected(std::int64_t size);

struct norm_answer {
  KOKKOS_FUNCTION double operator()(std::int64_t) const { return value; }

  double value;
};

/// How far a sum of `size` numbers above 0 may be off, relative to it: each addition rounds by half an epsilon at most.
/// (The root of that, as for roundings of either sign, is too little: squares end in biased digits.)
inline double rounding_of_sum(std::size_t size) {
  return static_cast<double>(size) * std::numeric_limits<double>::epsilon() / 2;
}

/// The variants of this build, unfused first.
template <class T>
std::vector<variant> norm_variants(arrays<T> const& x) {
  // the inputs' means and their squares are exact in double; a square in T is rounded
  double const of_sum = rounding_of_sum(x.a.size());
  double const of_square = of_sum + static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  std::vector<variant> variants;
  variants.push_back({"unfused", unfused::norm_traffic, of_square,
                      [x] { unfused::norm(x.a, x.b, x.sum, x.product, x.out, x.result); }});
  if constexpr (kernels::available)
    variants.push_back(
        {"kernels", kernels::norm_traffic, of_square, [x] { kernels::norm(x.a, x.b, x.sum, x.result); }});
  variants.push_back({"fused", fused::norm_traffic, of_sum, [x] { fused::norm(x.a, x.b, x.result); }});
  variants.push_back({"expression", expression::norm_traffic, of_sum, [x] { expression::norm(x.a, x.b, x.result); }});
  return variants;
}

template <class T>
struct norm_case {
  using value_type = T;
  static constexpr char const* name = "norm";
  static constexpr bool in_place = false;

  std::string formula() const { return "the sum of ((a + b) / 2)^2, in double"; }
  std::vector<variant> variants() const { return norm_variants(x); }
  void prepare() const { poison(x); }
  template <class F>
  void for_each_answer(F const& f) const {
    f(array<double>(x.result.data(), 1), expected);
  }

  arrays<T> x;
  norm_answer expected{norm_expected(static_cast<std::int64_t>(x.a.size()))};
};

} // namespace fusion
