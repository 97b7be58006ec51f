// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/fuse_kernel.hpp>
#include <onetrip/detail/group_types.hpp>
#include <onetrip/detail/launch.hpp>
#include <onetrip/detail/plan.hpp>
#include <onetrip/fuse/statement.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

// From a group of statements to its one kernel: what they are made of, the plan, the kernel's arguments, the launch.

namespace onetrip::detail {

/// What a plan has to know of statements, in the order in which `binder` meets their operands.
template <class ExecutionSpace, int Operands, int Statements>
struct collected {
  few<operand_info, Operands> operands;
  few<operand_info, Statements> results;
  few<statement_info, Statements> statements;

  template <class View>
  static void check_access() {
    static_assert(accessible_from<View, ExecutionSpace>,
                  "onetrip: a View lies in memory that the execution space can't reach; copy it there first");
  }
  template <class View>
  void operator()(operand<View> const& x) {
    check_access<View>();
    describe(operands.add(), x.view, false);
  }
  template <class Leaf>
  void operator()(Leaf const&) {}

  template <class View, class E>
  void add(store_statement<View, E> const& s) {
    check_access<View>();
    int const first = operands.count;
    describe(operands.add(), s.out, true);
    for_each_leaf(s.value, *this);
    statements.add() = {first, operands.count, true};
  }
  template <class Reduction, class Result, class E>
  void add(reduction_statement<Reduction, Result, E> const& s) {
    int const first = operands.count;
    if constexpr (view_like<Result>) {
      check_access<Result>();
      describe(results.add(), s.result, true);
    }
    for_each_leaf(s.value, *this);
    statements.add() = {first, operands.count, false};
  }
};

/// Replaces the Views of statements by pointers and strides.
template <int Outer, int Lanes, bool OfScalars>
struct binder {
  std::span<operand_info const> operands;
  std::span<statement_info const> statements;
  loop_nest const& nest;
  std::int64_t shift;
  int next = 0;      ///< the operand that comes next
  int statement = 0; ///< the statement that it is of

  template <class T>
  bound_view<T, Outer> bound(T* data) {
    operand_info const& o = operands[next++];
    bound_view<T, Outer> x{data, {}, -1, false};
    // Loops beyond the nest's have one iteration.
    for (int k = 0; k <= Outer; ++k)
      x.stride[k] = loop_of(k) >= 0 ? o.stride[loop_of(k)] : 0;
    if (nest.rank == 0)
      x.stride[Outer] = 1;
    constexpr std::int64_t alignment = wide_alignment<std::remove_const_t<T>, Lanes>;
    constexpr std::int64_t element = sizeof(T);
    x.wide = x.stride[Outer] == 1 && (o.address - shift * element) % alignment == 0;
    for (int k = 0; k < Outer; ++k)
      x.wide = x.wide && x.stride[k] * element % alignment == 0;
    for (int s = 0; s < statement; ++s)
      if (statements[s].is_store && operands[statements[s].first].address == o.address && !o.is_output)
        x.twin = s;
    return x;
  }

  int loop_of(int k) const { return nest.rank - 1 - Outer + k; }

  template <class View>
  auto operator()(operand<View> const& x) {
    using value_type = typename View::non_const_value_type;
    if constexpr (View::rank() == 0 && !OfScalars) {
      ++next;
      return bound_scalar<value_type>{x.view.data()};
    } else {
      return bound<value_type const>(x.view.data());
    }
  }
  template <int Dimension>
  bound_index operator()(index_of<Dimension> const&) const {
    int const loop = static_cast<int>(nest.position[Dimension]);
    return {loop < 0 ? -1 : loop + Outer + 1 - nest.rank};
  }
  template <class Leaf>
  Leaf operator()(Leaf const& x) const {
    return x;
  }
};

/// A statement in a kernel.
template <class Target, class Expression>
struct bound_statement {
  Target target;
  Expression expression;
};

template <class Binder, class View, class E>
auto bind(Binder& with, store_statement<View, E> const& s) {
  auto const out = with.bound(s.out.data());
  auto const value = map_leaves(s.value, with);
  ++with.statement;
  return bound_statement<store_target<std::remove_const_t<decltype(out)>>, std::remove_const_t<decltype(value)>>{{out},
                                                                                                                 value};
}
template <class Binder, class Reduction, class Result, class E>
auto bind(Binder& with, reduction_statement<Reduction, Result, E> const& s) {
  auto const value = map_leaves(s.value, with);
  ++with.statement;
  using accumulator = typename Reduction::template accumulator<strong_t<typename E::value_type>>;
  if constexpr (view_like<Result>)
    return bound_statement<reduction_target<Reduction, accumulator, typename Result::value_type>,
                           std::remove_const_t<decltype(value)>>{{s.result.data()}, value};
  else
    return bound_statement<reduction_target<Reduction, accumulator, std::remove_pointer_t<Result>>,
                           std::remove_const_t<decltype(value)>>{{nullptr}, value};
}

/// Elements in a chunk of a device: 16 bytes of the smallest type, fewer where registers would run out.
consteval int lanes_for(int views, int smallest) {
  int lanes = 16 / smallest;
  while (lanes > 1 && views * lanes * smallest > 256)
    lanes /= 2;
  return lanes;
}

/// Chunks that a thread of a device takes. Reductions start few threads, and few operands are few bytes a thread: each
/// needs more loads under way. Constants are loaded once for all its elements, and many of them take longer than the
/// memory's own bytes.
consteval int chunks_for(int views, int constants, bool reduces, int lanes) {
  int chunks = reduces ? 4 : views <= 2 ? 2 : 1;
  while (chunks * lanes * 8 < constants && chunks < 4)
    chunks *= 2;
  while (chunks > 1 && views * chunks * 16 > 256)
    chunks /= 2;
  return chunks;
}

template <std::size_t Bytes, std::size_t Limit>
consteval void check_arguments() {
  static_assert(Bytes <= Limit, "onetrip::fuse: too many operands for one kernel: its arguments have more bytes than a "
                                "launch takes (see Bytes and Limit); split the group");
}

template <int R, class Accumulated, class First, class... Rest>
void give_to_host(Accumulated const& accumulated, First const& s, Rest const&... rest) {
  if constexpr (is_reduction<First>)
    if constexpr (std::is_pointer_v<decltype(s.result)>)
      *s.result = convert<std::remove_pointer_t<decltype(s.result)>>(get<R>(accumulated));
  if constexpr (sizeof...(Rest) > 0)
    give_to_host<R + (is_reduction<First> ? 1 : 0)>(accumulated, rest...);
}

template <class T>
inline constexpr bool goes_to_host = false;
template <class Reduction, class T, class E>
inline constexpr bool goes_to_host<reduction_statement<Reduction, T*, E>> = true;

template <class ExecutionSpace>
inline constexpr bool runs_on_host = std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

template <int Outer, class ExecutionSpace, class... S>
void launch_group(ExecutionSpace const& exec, std::string const& label, planner const& plan, loop_nest const& nest,
                  S const&... statements) {
  using types = leaf_types<pack<S...>>;
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  constexpr bool reduces = (is_reduction<S> || ...);
  constexpr int lanes = on_host ? 1 : lanes_for(types::views, types::smallest);
  constexpr int chunks = on_host || types::indices > 0 ? 1 : chunks_for(types::views, types::constants, reduces, lanes);
  chunk_grid<Outer> grid{};
  for (int k = 0; k <= Outer; ++k)
    grid.extent[k] = nest.rank - 1 - Outer + k >= 0 ? nest.extent[nest.rank - 1 - Outer + k] : 1;
  if constexpr (lanes > 1)
    for (operand_info const& o : plan.operands())
      if (nest.rank > 0 && o.stride[nest.rank - 1] == 1 && o.address % o.element == 0) { // the first output, mostly
        grid.shift = o.address / o.element % lanes;
        break;
      }

  binder<Outer, lanes, types::largest_rank == 0> with{plan.operands(), plan.statements(), nest, grid.shift};
  std::tuple const bound{bind(with, statements)...};
  auto const make = [&](auto const&... b) {
    constexpr int chunk_size = on_host ? host_chunk_size : lanes;
    grid.chunks = (grid.extent[Outer] + grid.shift + chunk_size - 1) / chunk_size;
    grid.total = grid.chunks;
    for (int k = 0; k < Outer; ++k)
      grid.total *= grid.extent[k];
    grid.items = (grid.total + chunks - 1) / chunks;
    if (reduces && grid.items == 0)
      grid.items = 1; // for the identity
    return fuse_kernel<on_host, Outer, lanes, chunks, pack<std::remove_const_t<decltype(b.expression)>...>,
                       std::remove_const_t<decltype(b.target)>...>{make_pack(b.expression...), make_pack(b.target...),
                                                                   grid};
  };
  auto const kernel = std::apply(make, bound);
  if constexpr (!on_host)
    check_arguments<sizeof(kernel), largest_functor>();
  if constexpr ((goes_to_host<S> || ...))
    give_to_host<0>(launch_reduce_to_host(exec, label, grid.items, kernel), statements...);
  else if constexpr (reduces)
    launch_reduce(exec, label, grid.items, kernel);
  else
    launch_for(exec, label, grid.items, kernel);
}

template <class ExecutionSpace, class... S>
void run_group(ExecutionSpace const& exec, char const* who, std::string const& label, S const&... statements) {
  using types = leaf_types<pack<S...>>;
  collected<ExecutionSpace, types::operands, sizeof...(S)> found;
  (found.add(statements), ...);
  planner plan(who, found.operands.all(), found.statements.all(), found.results.all());
  plan.require_rank(types::indices);
  loop_nest const nest = plan.loops(types::indices > 0);
  if (nest.rank <= 1)
    return launch_group<0>(exec, label, plan, nest, statements...);
  if constexpr (types::largest_rank > 2)
    if (nest.rank > 2)
      return launch_group<types::largest_rank - 1>(exec, label, plan, nest, statements...);
  if constexpr (types::largest_rank > 1)
    launch_group<1>(exec, label, plan, nest, statements...);
}

} // namespace onetrip::detail
