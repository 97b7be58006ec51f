// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/arrays.hpp>
#include <heat1d/step.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace heat1d {

/// The arrays live on the host and are copied to the device and back around every kernel, as a first port of a host
/// code does it: four transfers of a whole array a step.
template <class T>
struct mirror {
  static constexpr char const* name = "mirror";
  static constexpr std::int64_t watched_at_once = 256; ///< steps: a recorder keeps every copy of them

  explicit mirror(std::size_t cells)
      : u("heat1d::mirror::u", cells), v("heat1d::mirror::v", cells), device_u("heat1d::mirror::device_u", cells),
        device_v("heat1d::mirror::device_v", cells) {}

  /// Advances u. The handles u and v may change places.
  template <class Ends>
  void run(std::int64_t steps, T r, Ends ends) {
    for (std::int64_t s = 0; s < steps; ++s) {
      Kokkos::deep_copy(device_u, u);
      Kokkos::deep_copy(device_v, v);
      step("heat1d::mirror::step", device_u, device_v, r, ends);
      Kokkos::deep_copy(u, device_u);
      Kokkos::deep_copy(v, device_v);
      std::swap(u, v);
    }
  }

  host_array<T> u, v;
  device_array<T> device_u, device_v;
};

} // namespace heat1d
