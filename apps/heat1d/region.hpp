// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/arrays.hpp>
#include <heat1d/step.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace heat1d {

/// Where host and device share one memory regions would copy nothing; here each array has a copy all the same.
inline constexpr onetrip::alias own_copies = onetrip::alias::never;

/// v = u after one step, of arrays that live on the host. Right by itself, and within a region that holds them.
template <class T, class Ends>
void step_on_host(std::string const& label, host_array<T> const& u, host_array<T> const& v, T r, Ends ends) {
  onetrip::region const data(Kokkos::DefaultExecutionSpace(), own_copies, onetrip::copy(u), onetrip::copy(v));
  step<T>(label, data.device(u), data.device(v), r, ends);
}

/// Each step opens a region of its own, as a naive offload does: four transfers of a whole array a step, and the memory
/// on the device anew.
template <class T>
struct region_per_step {
  static constexpr char const* name = "region-per-step";
  static constexpr std::int64_t watched_at_once = 256; ///< steps: a recorder keeps every copy of them

  explicit region_per_step(std::size_t cells)
      : u("heat1d::region_per_step::u", cells), v("heat1d::region_per_step::v", cells) {}

  /// Advances u. The handles u and v may change places.
  template <class Ends>
  void run(std::int64_t steps, T r, Ends ends) {
    for (std::int64_t s = 0; s < steps; ++s) {
      step_on_host("heat1d::region_per_step::step", u, v, r, ends);
      onetrip::swap(u, v);
    }
  }

  host_array<T> u, v;
};

/// The same loop and the same step in one region: one transfer before, one after.
template <class T>
struct region {
  static constexpr char const* name = "region";
  static constexpr std::int64_t watched_at_once =
      std::numeric_limits<std::int64_t>::max(); ///< has its copies around all

  explicit region(std::size_t cells) : u("heat1d::region::u", cells), v("heat1d::region::v", cells) {}

  /// Advances u.
  template <class Ends>
  void run(std::int64_t steps, T r, Ends ends) {
    onetrip::region const data(Kokkos::DefaultExecutionSpace(), own_copies, onetrip::copy(u), onetrip::create(v));
    for (std::int64_t s = 0; s < steps; ++s) {
      step_on_host("heat1d::region::step", u, v, r, ends);
      onetrip::swap(u, v);
    }
  }

  host_array<T> u, v;
};

} // namespace heat1d
