// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/ledger/record.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

// What Kokkos' own names say: which side a memory space is on, which kernels and fences are Kokkos' own.
// The names hold for Kokkos 4.6 to 5.2; a name that isn't known is never an error.

namespace onetrip::detail {

enum class side { host, device, shared, unknown };

/// The side that a memory space of this name is on. Pinned host memory is the host's; managed memory is either's.
constexpr side side_of(std::string_view space) {
  using enum side;
  constexpr auto table = std::to_array<std::pair<std::string_view, side>>({
      {"Host", host},
      {"CudaHostPinned", host},
      {"HIPHostPinned", host},
      {"SYCLHostUSM", host},
      {"Cuda", device},
      {"HIP", device},
      {"SYCLDeviceUSM", device},
      {"OpenACCSpace", device},
      {"OpenMPTargetSpace", device},
      {"CudaUVM", shared},
      {"HIPManaged", shared},
      {"SYCLSharedUSM", shared},
  });
  for (auto const& [name, where] : table)
    if (name == space)
      return where;
  return unknown;
}

constexpr direction direction_of(side from, side to) {
  if (from == side::host && to == side::device)
    return direction::to_device;
  if (from == side::device && to == side::host)
    return direction::to_host;
  if (from == side::host && to == side::host)
    return direction::within_host;
  if (from == side::device && to == side::device)
    return direction::within_device;
  return direction::unknown;
}

/// Kernels by which Kokkos initialises, fills, packs and copies Views. Those of its algorithms and containers
/// (`Kokkos::Sort...`, `Kokkos::ScatterView...`) are the user's: they compute.
constexpr bool is_own_kernel(std::string_view label) {
  return label.starts_with("Kokkos::View") || label.starts_with("Kokkos::DynRankView") ||
         label.starts_with("Kokkos::Impl::host_space_deepcopy") ||
         // an unnamed kernel, whose label is its functor's type, as g++ and as clang++ write it
         label.find("deep_copy_rank0") != label.npos || label.find("Kokkos_CopyViews.hpp") != label.npos;
}

/// Kernels that pack a copy whose two sides differ in strides: the size reported for it is a span, not bytes.
constexpr bool is_packing_kernel(std::string_view label) { return label.starts_with("Kokkos::ViewCopy"); }

/// Fences that Kokkos adds around a tool's callbacks.
constexpr bool is_tool_fence(std::string_view label) {
  return label.find("Kokkos Profile Tool Fence") != label.npos || label.find("Tool Requested Fence") != label.npos;
}

/// Fences that Kokkos adds by itself, to copies, allocations, initialisations and algorithms. One for a reduction into
/// a host value is the user's: it goes when the result is a View.
constexpr bool is_own_fence(std::string_view label) {
  if (label.find("Unnamed") != label.npos || label.starts_with("Kokkos::parallel_"))
    return false;
  for (std::string_view const prefix :
       {"Kokkos::", "HostSpace", "SharedAllocationRecord", "HostInaccessibleSharedAllocationRecord",
        "MemoryPool::", "Bitset::", "DynamicView::", "Random_XorShift"})
    if (label.starts_with(prefix))
      return true;
  return false;
}

/// Kokkos' device id: the type of its execution space.
constexpr std::uint32_t space_type(std::uint32_t device) { return device >> 24; }

/// Whether a fence is for every instance of its execution space.
constexpr bool is_global(std::uint32_t device) { return (device & 0x1ffff) == 0; }

/// The labels under which `deep_copy(view, scalar)` reports its source.
constexpr bool is_scalar_label(std::string_view label) { return label == "Scalar" || label == "(none)"; }

} // namespace onetrip::detail
