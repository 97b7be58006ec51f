// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/arrays.hpp>

#include <cmath>
#include <cstddef>

namespace fusion {

/// What adamw works on. The temporaries are there only where a variant needs them.
struct adamw_arrays {
  using value_type = float;

  array<float> gradient, parameter, m, v, first, second;
};

/// Allocates the arrays and fills the gradient.
adamw_arrays make_adamw_arrays(std::size_t size, bool with_temporaries);

/// Sets the state before the step, and overwrites the temporaries.
void reset(adamw_arrays const& x);

inline std::size_t size_of(adamw_arrays const& x) { return x.gradient.size(); }

inline void copy_once(adamw_arrays const& x) { Kokkos::deep_copy(execution_space(), x.parameter, x.gradient); }

inline array<float> copied(adamw_arrays const& x) { return x.parameter; }

/// The numbers of AdamW's step `t`, counted from 1, in the usual setting.
template <class T>
struct adamw_numbers {
  explicit adamw_numbers(int t)
      : correct1(static_cast<T>(1 / (1 - std::pow(0.9, t)))), correct2(static_cast<T>(1 / (1 - std::pow(0.999, t)))) {}

  T rate = static_cast<T>(1e-3);
  T decay = static_cast<T>(0.01);
  T epsilon = static_cast<T>(1e-8);
  T beta1 = static_cast<T>(0.9);
  T rest1 = static_cast<T>(1 - 0.9); // rounded once, unlike 1 - beta1 in float
  T beta2 = static_cast<T>(0.999);
  T rest2 = static_cast<T>(1 - 0.999);
  T correct1, correct2;
};

/// What a step changes of an element.
template <class T>
struct adamw_state {
  T m, v, parameter;
};

/// One element's step.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION adamw_state<T> adamw_step(adamw_numbers<T> const& c, T gradient, adamw_state<T> x) {
  x.m = c.beta1 * x.m + c.rest1 * gradient;
  x.v = c.beta2 * x.v + c.rest2 * gradient * gradient;
  x.parameter -= c.rate * (c.correct1 * x.m / (Kokkos::sqrt(c.correct2 * x.v) + c.epsilon) + c.decay * x.parameter);
  return x;
}

} // namespace fusion
