// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/host_memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>

namespace onetrip {

/// Bytes that can be allocated in a memory space now; nothing where that can't be known. Of the host: what the system
/// calls available, within the process's memory cgroup. No kernel, transfer or fence.
template <class Space = Kokkos::DefaultExecutionSpace::memory_space>
std::optional<std::size_t> available_memory() {
  static_assert(memory_space<Space>,
                "onetrip::available_memory: asks about a Kokkos memory space, such as Kokkos::HostSpace");
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Space, Kokkos::CudaSpace>) {
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess)
      return std::nullopt;
    return free;
  }
#elif defined(KOKKOS_ENABLE_HIP)
  if constexpr (std::is_same_v<Space, Kokkos::HIPSpace>) {
    std::size_t free = 0;
    std::size_t total = 0;
    if (hipMemGetInfo(&free, &total) != hipSuccess)
      return std::nullopt;
    return free;
  }
#endif
  if constexpr (std::is_same_v<Space, Kokkos::HostSpace>)
    return detail::available_host_memory();
  return std::nullopt;
}

} // namespace onetrip
