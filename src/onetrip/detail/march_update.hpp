// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/march/boundary.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>

// The one place that calls the user's functor: every path computes a point's next value by one of these two functions.

namespace onetrip::detail {

template <class Update, class T>
concept plain_update = requires(Update const& update, T u) {
  { update(u, u, u) } -> std::convertible_to<T>;
};
template <class Update, class T>
concept placed_update = requires(Update const& update, T u, std::int64_t i) {
  { update(u, u, u, i, i) } -> std::convertible_to<T>;
};

/// Point i after step `step`, of three values from before it.
template <class T, class Update>
KOKKOS_FORCEINLINE_FUNCTION T next(Update const& update, T left, T centre, T right, [[maybe_unused]] std::int64_t i,
                                   [[maybe_unused]] std::int64_t step) {
  if constexpr (plain_update<Update, T>)
    return update(left, centre, right);
  else
    return update(left, centre, right, i, step);
}

/// The ends in step `step`.
template <class T, class Ends>
struct ends_in_step {
  KOKKOS_FORCEINLINE_FUNCTION ends_in_step(Ends const&, std::int64_t) {}
};
template <class T, class Value>
struct ends_in_step<T, driven_ends<Value>> {
  T left, right;

  KOKKOS_FORCEINLINE_FUNCTION ends_in_step(driven_ends<Value> const& ends, std::int64_t step)
      : left(ends.value(end::left, step)), right(ends.value(end::right, step)) {}
};

// The same for a point that may be the first or the last of all.

template <class T, class Update>
KOKKOS_FORCEINLINE_FUNCTION T next_or_end(Update const& update, ends_in_step<T, fixed_ends> const&, T left, T centre,
                                          T right, std::int64_t i, std::int64_t step, bool first, bool last) {
  return first || last ? centre : next(update, left, centre, right, i, step);
}

template <class T, class Update>
KOKKOS_FORCEINLINE_FUNCTION T next_or_end(Update const& update, ends_in_step<T, insulated_ends> const&, T left,
                                          T centre, T right, std::int64_t i, std::int64_t step, bool first, bool last) {
  return next(update, first ? centre : left, centre, last ? centre : right, i, step);
}

/// Takes the neighbours from the other end.
template <class T, class Update>
KOKKOS_FORCEINLINE_FUNCTION T next_or_end(Update const& update, ends_in_step<T, periodic_ends> const&, T left, T centre,
                                          T right, std::int64_t i, std::int64_t step, bool, bool) {
  return next(update, left, centre, right, i, step);
}

template <class T, class Update, class Value>
KOKKOS_FORCEINLINE_FUNCTION T next_or_end(Update const& update, ends_in_step<T, driven_ends<Value>> const& ends, T left,
                                          T centre, T right, std::int64_t i, std::int64_t step, bool first, bool last) {
  return first ? ends.left : last ? ends.right : next(update, left, centre, right, i, step);
}

/// What a pass over the array does to it: `depth` steps, the first of which is number `first_step`.
template <class T, class Update, class Ends>
struct pass {
  T const* from;
  T* to;
  std::int64_t points;
  std::int64_t first_step;
  int depth;
  Update update;
  Ends ends;
};

} // namespace onetrip::detail
