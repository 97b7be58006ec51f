// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/adamw.hpp>
#include <fusion/chain.hpp>
#include <fusion/norm.hpp>
#include <fusion/scaled_sum.hpp>

// The cases, in the order in which they run. Each has a name, a formula, its variants on the arrays `x`, and:
// `prepare()` overwrites what a variant computes, so that an answer left by another doesn't count;
// `for_each_answer(f)` calls f(array, expected) for each array that holds a part of the answer;
// `in_place`: a run goes on from what the one before left; what is expected is that of one run after `prepare()`.

namespace fusion {

/// `f(a case)` for each that computes in T.
template <class T, class F>
void for_each_case(arrays<T> const& x, int ops, F const& f) {
  f(scaled_sum_case<T>{x});
  f(chain_case<T>{x, ops});
  f(norm_case<T>{x});
}

/// `f(a case)` for the one that has arrays of its own.
template <class F>
void for_each_case(adamw_arrays const& x, int /*ops*/, F const& f) {
  f(adamw_case{x});
}

} // namespace fusion
