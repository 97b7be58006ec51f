// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/arrays.hpp>
#include <heat1d/step.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace heat1d {

/// The arrays live on the device from the first step to the last: one transfer before, one after.
template <class T>
struct resident {
  static constexpr char const* name = "resident";
  static constexpr std::int64_t watched_at_once =
      std::numeric_limits<std::int64_t>::max(); ///< has its copies around all

  explicit resident(std::size_t cells)
      : u("heat1d::resident::u", cells), device_u("heat1d::resident::device_u", cells),
        device_v("heat1d::resident::device_v", cells) {}

  /// Advances u. The handles device_u and device_v may change places.
  template <class Ends>
  void run(std::int64_t steps, T r, Ends ends) {
    Kokkos::deep_copy(device_u, u);
    for (std::int64_t s = 0; s < steps; ++s) {
      step("heat1d::resident::step", device_u, device_v, r, ends);
      std::swap(device_u, device_v);
    }
    Kokkos::deep_copy(u, device_u);
  }

  host_array<T> u;
  device_array<T> device_u, device_v;
};

} // namespace heat1d
