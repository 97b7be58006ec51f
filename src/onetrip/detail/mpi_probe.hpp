// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/march_update.hpp>
#include <onetrip/march/boundary.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

// What a part is marched with, what measures it, and the halo that follows.

namespace onetrip::detail {

/// An update that is told a point's index in the whole array, not in the part.
template <class T, class Update, class Ends>
struct shifted_update {
  Update update;
  std::int64_t first;  ///< the index of the part's first point
  std::int64_t points; ///< of the whole array

  KOKKOS_FORCEINLINE_FUNCTION T operator()(T left, T centre, T right, std::int64_t i, std::int64_t step) const {
    std::int64_t at = first + i;
    if constexpr (std::is_same_v<Ends, periodic_ends>)
      at = at < 0 ? at + points : at < points ? at : at - points;
    return update(left, centre, right, at, step);
  }
};

template <class T, class Update, class Ends>
auto update_of_part(Update const& update, std::int64_t first, std::int64_t points) {
  if constexpr (plain_update<Update, T>)
    return update;
  else
    return shifted_update<T, Update, Ends>{update, first, points};
}

/// Measures in place of an update or ends that know the step: what they read may be there for some steps only.
template <class T>
struct probing_update {
  KOKKOS_FUNCTION T operator()(T left, T centre, T right) const { return Kokkos::fma(T(0.25), left + right, centre); }
};

/// What the exchange and the march of a part took.
struct part_speed {
  double exchange_seconds;
  double step_seconds;
  std::int64_t points; ///< of the part with its halos
  int depth;           ///< steps of a pass
};

/// The halo for which an exchange every `halo` steps and `2 * halo` more points in each of them take least:
/// the square root of t G / 2, for an exchange of t seconds and G points a second. A multiple of two full passes
/// if there are as many; at least 1, at most `most`.
inline std::int64_t best_halo(double exchange_seconds, double points_per_second, int depth, std::int64_t most) {
  double const best = std::sqrt(exchange_seconds * points_per_second / 2);
  auto const halo = static_cast<std::int64_t>(std::min(std::max(1.0, best), static_cast<double>(most)));
  std::int64_t const passes = 2 * static_cast<std::int64_t>(depth);
  return halo < passes ? halo : halo / passes * passes;
}

} // namespace onetrip::detail
