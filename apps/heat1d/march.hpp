// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/arrays.hpp>
#include <heat1d/boundary.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace heat1d {

/// The update as a marcher takes it.
template <class T>
struct heat_rule {
  T r;

  KOKKOS_FUNCTION T operator()(T left, T centre, T right) const { return update(left, centre, right, r); }
};

inline onetrip::fixed_ends march_ends(fixed_ends) { return {}; }
inline onetrip::insulated_ends march_ends(insulated_ends) { return {}; }
inline onetrip::periodic_ends march_ends(periodic_ends) { return {}; }

/// As resident, but with many steps in a pass over the array.
template <class T>
struct march {
  static constexpr char const* name = "march";
  static constexpr std::int64_t watched_at_once = std::numeric_limits<std::int64_t>::max();

  explicit march(std::size_t cells)
      : u("heat1d::march::u", cells),
        device_u(Kokkos::view_alloc(Kokkos::WithoutInitializing, "heat1d::march::device_u"), cells) {}

  /// Advances u.
  template <class Ends>
  void run(std::int64_t steps, T r, Ends ends) {
    Kokkos::deep_copy(device_u, u);
    onetrip::march(Kokkos::DefaultExecutionSpace(), device_u, steps, heat_rule<T>{r}, march_ends(ends));
    Kokkos::deep_copy(u, device_u);
  }

  host_array<T> u;
  device_array<T> device_u;
};

} // namespace heat1d
