// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/own_work.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

// The only place in the library that starts kernels. Each is one kernel, and returns at once.

namespace onetrip::detail {

/// Functors travel as plain kernel arguments, of which CUDA takes this many bytes: through constant memory, as Kokkos
/// sends larger ones by default, a launch waits for the one before it.
inline constexpr std::size_t largest_functor = 4096 - 256; // Kokkos' own part of the arguments

template <class Policy>
auto light(Policy const& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

template <class ExecutionSpace>
auto light_range(ExecutionSpace const& exec, std::int64_t items) {
  return light(Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, items));
}

/// `functor(item)` for every item.
template <class ExecutionSpace, class Functor>
void launch_for(ExecutionSpace const& exec, std::string const& label, std::int64_t items, Functor const& functor) {
  Kokkos::parallel_for(label, light_range(exec, items), functor);
  count_kernel();
}

/// The same for a functor that reduces, and writes its results itself.
template <class ExecutionSpace, class Functor>
void launch_reduce(ExecutionSpace const& exec, std::string const& label, std::int64_t items, Functor const& functor) {
  Kokkos::parallel_reduce(label, light_range(exec, items), functor);
  count_kernel();
}

/// `functor(team)` for every team, of `Functor::threads` threads and with `Functor::scratch_bytes` of scratch.
template <class ExecutionSpace, class Functor>
void launch_teams(ExecutionSpace const& exec, std::string const& label, int teams, Functor const& functor) {
  using policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<Functor::threads, 1>>;
  auto const sized = policy(exec, teams, Functor::threads).set_scratch_size(0, Kokkos::PerTeam(Functor::scratch_bytes));
  Kokkos::parallel_for(label, light(sized), functor);
  count_kernel();
}

/// A kernel that `start` starts on the instance without Kokkos, whose tools see it like any other.
template <class ExecutionSpace, class Start>
void launch_native(ExecutionSpace const& exec, std::string const& label, Start const& start) {
  namespace tools = Kokkos::Tools;
  std::uint64_t id = 0;
  bool const watched = tools::profileLibraryLoaded();
  if (watched)
    tools::beginParallelFor(label, tools::Experimental::device_id(exec), &id);
  start();
  count_kernel();
  if (watched)
    tools::endParallelFor(id);
}

} // namespace onetrip::detail
