// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

// The only place in the library that starts kernels.

namespace onetrip::detail {

/// Functors travel as plain kernel arguments, of which CUDA takes this many bytes: through constant memory, as Kokkos
/// sends larger ones by default, a launch waits for the one before it.
inline constexpr std::size_t largest_functor = 4096 - 256; // Kokkos' own part of the arguments

template <class ExecutionSpace>
auto light_range(ExecutionSpace const& exec, std::int64_t items) {
  return Kokkos::Experimental::require(
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, items),
      Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

/// `functor(item)` for every item. One kernel; returns at once.
template <class ExecutionSpace, class Functor>
void launch_for(ExecutionSpace const& exec, std::string const& label, std::int64_t items, Functor const& functor) {
  Kokkos::parallel_for(label, light_range(exec, items), functor);
}

/// The same for a functor that reduces, and writes its results to memory of the device itself. One kernel.
template <class ExecutionSpace, class Functor>
void launch_reduce(ExecutionSpace const& exec, std::string const& label, std::int64_t items, Functor const& functor) {
  Kokkos::parallel_reduce(label, light_range(exec, items), functor);
}

/// The same; the reduced value comes back to the host. One kernel, one fence of the instance; on CUDA Kokkos
/// makes two of it.
template <class ExecutionSpace, class Functor>
typename Functor::value_type launch_reduce_to_host(ExecutionSpace const& exec, std::string const& label,
                                                   std::int64_t items, Functor const& functor) {
  typename Functor::value_type result;
  Kokkos::parallel_reduce(label, light_range(exec, items), functor, result);
  return result;
}

} // namespace onetrip::detail
