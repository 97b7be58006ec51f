// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/bind.hpp>
#include <onetrip/detail/collect.hpp>
#include <onetrip/detail/fuse_kernel.hpp>
#include <onetrip/detail/launch.hpp>
#include <onetrip/detail/reproducible.hpp>
#include <onetrip/detail/temporaries.hpp>
#include <onetrip/fuse/options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

// From a group of statements to its one kernel: what they are made of, the plan, the kernel's arguments, the launch.

namespace onetrip::detail {

template <std::size_t Bytes, std::size_t Limit>
consteval void check_arguments() {
  static_assert(Bytes <= Limit, "onetrip::fuse: too many operands for one kernel: its arguments have more bytes than a "
                                "launch takes (see Bytes and Limit); split the group");
}

template <class ExecutionSpace>
inline constexpr bool runs_on_host = std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

/// How a group's kernel is made, as far as types say.
template <class Options, class ExecutionSpace, class... S>
struct kernel_traits {
  using types = leaf_types<pack<S...>>;
  static constexpr bool reduces = (is_reduction<S> || ...);
  static constexpr bool reproducible = Options::reproducible && reduces;
  static constexpr bool in_teams =
      reproducible && !std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;
  static constexpr bool on_host = reproducible ? !in_teams : runs_on_host<ExecutionSpace>;
  static constexpr int device_lanes = reproducible ? 16 / types::smallest : lanes_for(types::views, types::smallest);
  static constexpr int lanes = on_host ? 1 : device_lanes;
  static constexpr int chunks = on_host || types::indices > 0
                                    ? 1
                                    : chunks_for(types::views, types::constants, reduces, lanes);
};

/// The loops of a kernel; each row begins `shift` elements before it does, so that chunks begin aligned. (Not where the
/// order of a reduction depends on it.)
template <class Traits, int Outer>
chunk_grid<Outer> grid_of(planner const& plan, loop_nest const& nest) {
  chunk_grid<Outer> grid{};
  for (int k = 0; k <= Outer; ++k)
    grid.extent[k] = nest.rank - 1 - Outer + k >= 0 ? nest.extent[nest.rank - 1 - Outer + k] : 1;
  if constexpr (Traits::lanes > 1 && !Traits::reproducible)
    for (operand_info const& o : plan.operands())
      if (nest.rank > 0 && o.stride[nest.rank - 1] == 1 && o.address % o.element == 0) { // the first output, mostly
        grid.shift = o.address / o.element % Traits::lanes;
        break;
      }
  if constexpr (Traits::reproducible)
    grid.cut(Traits::device_lanes);
  else
    grid.cut(Traits::on_host ? host_chunk_size : Traits::lanes);
  grid.items = (grid.total + Traits::chunks - 1) / Traits::chunks;
  if (Traits::reduces && grid.items == 0)
    grid.items = 1; // for the identity
  return grid;
}

template <class Options, class Traits, int Outer, class... S>
auto make_kernel(planner const& plan, loop_nest const& nest, std::byte* results, S const&... statements) {
  chunk_grid<Outer> const grid = grid_of<Traits, Outer>(plan, nest);
  binder<Traits::on_host, Outer, Traits::lanes, Traits::types::largest_rank == 0> with{
      plan.operands(), plan.statements(), nest, grid.shift, results};
  std::tuple const bound{bind(with, statements)...};
  return std::apply(
      [&](auto const&... b) {
        return fuse_kernel<Traits::on_host, Options::same_bits, Outer, Traits::lanes, Traits::chunks,
                           pack<std::remove_const_t<decltype(b.expression)>...>,
                           std::remove_const_t<decltype(b.target)>...>{make_pack(b.expression...),
                                                                       make_pack(b.target...), grid};
      },
      bound);
}

template <class Traits, class ExecutionSpace, class Kernel>
void launch_kernel(ExecutionSpace const& exec, std::string const& label, Kernel const& kernel) {
  if constexpr (Traits::reproducible) {
    using accumulated = typename Kernel::value_type;
    std::int64_t const tiles = (kernel.grid.total * Traits::device_lanes + tile_elements - 1) / tile_elements;
    auto const groups = static_cast<int>(std::clamp<std::int64_t>(tiles, 1, most_groups));
    std::byte* const memory = process_state<memory_of_instances<ExecutionSpace>>().at_least(
        result_bytes + most_groups * sizeof(accumulated), exec);
    group_results<accumulated> const left{reinterpret_cast<accumulated*>(memory + result_bytes),
                                          reinterpret_cast<unsigned*>(memory)};
    if constexpr (Traits::in_teams)
      launch_teams(exec, label, groups, reproducible_on_device<Kernel>{kernel, left});
    else
      launch_for(exec, label, groups, reproducible_on_host<Traits::device_lanes, Kernel>{kernel, left, groups});
  } else if constexpr (Traits::reduces) {
    launch_reduce(exec, label, kernel.grid.items, kernel);
  } else {
    launch_for(exec, label, kernel.grid.items, kernel);
  }
}

template <class Options, class ExecutionSpace, int Outer, class... S>
void launch_group(ExecutionSpace const& exec, std::string const& label, planner const& plan, loop_nest const& nest,
                  S const&... statements) {
  using traits = kernel_traits<Options, ExecutionSpace, S...>;
  constexpr bool waits = (goes_to_host<S> || ...);
  std::optional<slot_of_call> slot;
  if constexpr (waits && !traits::on_host)
    slot.emplace();
  auto const kernel = make_kernel<Options, traits, Outer>(plan, nest, slot ? slot->data() : nullptr, statements...);
  if constexpr (!traits::on_host)
    check_arguments<sizeof(kernel), largest_functor>();
  launch_kernel<traits>(exec, label, kernel);
  if constexpr (waits) {
    exec.fence("onetrip::fuse::result");
    if (slot) {
      std::byte const* results = slot->data();
      (give_to_host(results, statements), ...);
    }
  }
}

/// `f` of a constant: how many loops are around the innermost one in the kernel that runs the nest.
template <int LargestRank, class F>
void with_outer_loops(loop_nest const& nest, F const& f) {
  if (nest.rank <= 1)
    return f(std::integral_constant<int, 0>{});
  if constexpr (LargestRank > 2)
    if (nest.rank > 2)
      return f(std::integral_constant<int, LargestRank - 1>{});
  if constexpr (LargestRank > 1)
    f(std::integral_constant<int, 1>{});
}

template <class Options>
constexpr alias_rules rules_of{Options::assume_disjoint, Options::allow_temporary};

template <class Options, class ExecutionSpace, class... S>
void run_planned(ExecutionSpace const& exec, std::string const& label, planner& plan, S const&... statements) {
  using types = leaf_types<pack<S...>>;
  plan.require_rank(types::indices);
  loop_nest const nest = plan.loops(types::indices > 0);
  with_outer_loops<types::largest_rank>(nest, [&]<int Outer>(std::integral_constant<int, Outer>) {
    launch_group<Options, ExecutionSpace, Outer>(exec, label, plan, nest, statements...);
  });
}

template <class Options, class ExecutionSpace, class... S>
void run_hoisted(ExecutionSpace const& exec, char const* who, std::string const& label, S const&... statements) {
  collected_from<ExecutionSpace, S...> found(statements...);
  planner plan = found.plan(who, rules_of<Options>);
  if constexpr (Options::allow_temporary) {
    if (plan.needs_temporaries()) {
      temporaries const copies(
          exec, plan.operands(),
          [&](auto const& copy) { run_hoisted<fuse_options<0>>(exec, who, "onetrip::fuse::temporary", copy); },
          statements...);
      collected_from<ExecutionSpace, S...> with_copies(statements...);
      copies.replace(with_copies.operands.all());
      planner plan_with_copies = with_copies.plan(who, rules_of<Options>);
      return run_planned<Options>(exec, label, plan_with_copies, statements...);
    }
  }
  run_planned<Options>(exec, label, plan, statements...);
}

template <class Options, class ExecutionSpace, class... S>
void run_group(ExecutionSpace const& exec, char const* who, std::string const& label, S const&... statements) {
  if constexpr (Options::same_bits)
    check_rounding<Options>();
  with_names_hoisted([&](auto const&... s) { run_hoisted<Options>(exec, who, label, s...); }, statements...);
}

} // namespace onetrip::detail
