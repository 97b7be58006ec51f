// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/adamw_arrays.hpp>
#include <fusion/kernels.hpp>
#include <fusion/variant.hpp>

#include <limits>
#include <string>
#include <vector>

// The case adamw: one step of AdamW with decoupled weight decay, in float and in place

namespace fusion {

namespace unfused {

inline constexpr traffic adamw_traffic{21, 16};

/// A kernel for each operation, in place or into a temporary.
void adamw(adamw_numbers<float> const& c, adamw_arrays const& x);

} // namespace unfused

namespace fused {

inline constexpr traffic adamw_traffic{4, 3};

/// One kernel for all: gradient, m, v, parameter; the last three are written.
void adamw(adamw_numbers<float> const& c, adamw_arrays const& x);

} // namespace fused

namespace expression {

inline constexpr traffic adamw_traffic{4, 3};

/// The formulas as three statements: one kernel.
void adamw(adamw_numbers<float> const& c, adamw_arrays const& x);

} // namespace expression

/// The step that is taken: an early one, so that the corrections matter.
inline constexpr int adamw_t = 10;

/// v rounds most: beta2 or 1 - beta2, two products and the sum, by half an epsilon each. All terms are above 0. What is
/// taken off a parameter is below a thousandth of it, and so is what rounding makes of that.
inline constexpr double adamw_tolerance = 2 * static_cast<double>(std::numeric_limits<float>::epsilon());

/// What comes of the element `i` of one of the arrays, in double.
struct adamw_answer {
  enum class array { m, v, parameter };

  KOKKOS_FUNCTION double operator()(std::int64_t i) const {
    adamw_state<double> const before{input<double>(adamw_m, i), input<double>(adamw_v, i),
                                     input<double>(adamw_parameter, i)};
    adamw_state<double> const after = adamw_step(c, input<double>(adamw_gradient, i), before);
    return which == array::m ? after.m : which == array::v ? after.v : after.parameter;
  }

  array which;
  adamw_numbers<double> c{adamw_t};
};

/// The variants of this build, unfused first.
std::vector<variant> adamw_variants(adamw_arrays const& x);

struct adamw_case {
  using value_type = float;
  static constexpr char const* name = "adamw";
  static constexpr bool in_place = true;

  std::string formula() const { return "step " + std::to_string(adamw_t) + " of AdamW, in place, in float"; }
  std::vector<variant> variants() const { return adamw_variants(x); }
  void prepare() const { reset(x); }
  template <class F>
  void for_each_answer(F const& f) const {
    f(x.m, adamw_answer{adamw_answer::array::m});
    f(x.v, adamw_answer{adamw_answer::array::v});
    f(x.parameter, adamw_answer{adamw_answer::array::parameter});
  }

  adamw_arrays x;
};

} // namespace fusion
