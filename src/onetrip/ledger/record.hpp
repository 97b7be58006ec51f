// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace onetrip {

/// What kind of work an event was: the one unit of account of all parts.
enum class kind : std::uint8_t {
  kernel,       ///< a kernel of the user's (parallel_for, _reduce or _scan), Kokkos' algorithms included
  own_kernel,   ///< a kernel that Kokkos starts by itself: an initialisation, a fill, a pack
  transfer,     ///< a copy whose two sides are different memory: host and device
  copy,         ///< a copy within the host's or the device's memory
  fill,         ///< `deep_copy(view, scalar)`: writes the View, carries one value. Kokkos labels the source "Scalar" or
                ///< "(none)": a host View that bears this label and is older than the recorder is taken for a scalar
  alias,        ///< a copy onto itself, as of an aliasing mirror: would move bytes on a discrete GPU, moved none here
  empty_copy,   ///< a copy of a View without elements
  failed_copy,  ///< a copy that threw: moved nothing. One still under way on another thread shows so until it ends
  fence,        ///< a fence of the user's, and what a reduction into host values pays. `Kokkos::fence` is one
                ///< fence, whatever number of backends the build has
  own_fence,    ///< a fence that Kokkos adds to its copies, allocations, initialisations and algorithms
  tool_fence,   ///< a fence that exists only because a tool watches
  allocation,   ///< `bytes_asked` allocated
  deallocation, ///< `bytes_asked` freed
};

/// Which way a copy went. `unknown`: a space that is on both sides (managed memory) or on none that is known.
enum class direction : std::uint8_t { none, to_device, to_host, within_device, within_host, unknown };

inline constexpr direction to_device = direction::to_device;
inline constexpr direction to_host = direction::to_host;

/// The name of a kind.
constexpr std::string_view to_string(kind what) {
  switch (what) {
  case kind::kernel: return "kernel";
  case kind::own_kernel: return "Kokkos' own kernel";
  case kind::transfer: return "transfer";
  case kind::copy: return "copy";
  case kind::fill: return "fill";
  case kind::alias: return "alias";
  case kind::empty_copy: return "empty copy";
  case kind::failed_copy: return "failed copy";
  case kind::fence: return "fence";
  case kind::own_fence: return "Kokkos' own fence";
  case kind::tool_fence: return "tool fence";
  case kind::allocation: return "allocation";
  case kind::deallocation: return "deallocation";
  }
  return "unknown";
}

/// The name of a direction.
constexpr std::string_view to_string(direction where) {
  switch (where) {
  case direction::none: return "";
  case direction::to_device: return "to device";
  case direction::to_host: return "to host";
  case direction::within_device: return "within device";
  case direction::within_host: return "within host";
  case direction::unknown: return "direction unknown";
  }
  return "unknown";
}

/// One event. The texts live as long as the account that the record is read from.
struct record {
  kind what{};
  direction where = direction::none;
  bool upper_bound = false; ///< of a copy that had to be packed: Kokkos reports a span, the bytes moved may be fewer
  std::uint32_t device = 0; ///< of kernels and fences: Kokkos' device id: type (8 bits), device (7), instance (17)
  std::string_view label;   ///< of the View, kernel or fence; of a copy: its destination
  std::string_view source;  ///< of a copy: its source
  std::string_view space;   ///< the memory space of `label`; of a copy: its destination
  std::string_view source_space;
  std::string_view region; ///< the `Kokkos::Profiling` regions it lies in on its thread, outermost first: "solve/step"
  std::size_t bytes_asked = 0; ///< what was reported
  std::size_t bytes_moved = 0; ///< what went from one memory to another, or within one
};

/// The bytes that totals count: moved, or for fills, aliases and allocations asked.
constexpr std::size_t counted_bytes(record const& r) {
  switch (r.what) {
  case kind::transfer:
  case kind::copy: return r.bytes_moved;
  case kind::failed_copy: return 0;
  default: return r.bytes_asked;
  }
}

/// Events and bytes of one sort.
struct tally {
  std::size_t count = 0;
  std::size_t bytes = 0;
  friend bool operator==(tally const&, tally const&) = default;
};

} // namespace onetrip
