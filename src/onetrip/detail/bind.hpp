// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/chunk_grid.hpp>
#include <onetrip/detail/device_chunk.hpp>
#include <onetrip/detail/group_types.hpp>
#include <onetrip/detail/hoist.hpp>
#include <onetrip/detail/plan.hpp>
#include <onetrip/detail/result_memory.hpp>
#include <onetrip/detail/targets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

// From statements and their plan to what the kernel gets: pointers and strides in place of Views.

namespace onetrip::detail {

/// How a kernel of `Outer` loops around the innermost one reads or writes an operand.
template <int Outer>
struct access {
  std::int64_t stride[Outer + 1]; ///< the innermost loop's last
  std::int32_t twin = -1;         ///< the earlier statement that has written it
  bool aligned = false;           ///< each chunk begins at a multiple of its bytes, up to 16
};

template <int Outer>
access<Outer> access_of(operand_info const& o, int statement, std::span<operand_info const> operands,
                        std::span<statement_info const> statements, loop_nest const& nest, int lanes,
                        std::int64_t shift) {
  access<Outer> x{};
  for (int k = 0; k <= Outer; ++k) { // loops beyond the nest's have one iteration
    int const loop = nest.rank - 1 - Outer + k;
    x.stride[k] = loop >= 0 ? o.stride[loop] : 0;
  }
  if (nest.rank == 0)
    x.stride[Outer] = 1;
  std::int64_t const alignment = chunk_alignment(o.element, lanes);
  x.aligned = (o.address - shift * o.element) % alignment == 0;
  for (int k = 0; k < Outer; ++k)
    x.aligned = x.aligned && x.stride[k] * o.element % alignment == 0;
  for (int s = 0; s < statement; ++s)
    if (statements[s].kind == statement_kind::store && operands[statements[s].first].address == o.address &&
        !o.is_output)
      x.twin = s;
  return x;
}

template <class T>
T* pointer_to(operand_info const& o) {
  return reinterpret_cast<T*>(o.address); // NOLINT(performance-no-int-to-ptr): a number, since plans compare it
}

/// Replaces the Views of statements by pointers and strides, in the order of the plan's operands.
template <bool OnHost, int Outer, int Lanes, bool OfScalars>
struct binder {
  std::span<operand_info const> operands;
  std::span<statement_info const> statements;
  loop_nest const& nest;
  std::int64_t shift;
  std::byte* results; ///< memory for those that the host waits for; null: its own variables
  int next = 0;       ///< the operand that comes next
  int statement = 0;  ///< the statement that it is of

  template <class T>
  bound_view<T, Outer> bound() {
    operand_info const& o = operands[next++];
    access<Outer> const found = access_of<Outer>(o, statement, operands, statements, nest, Lanes, shift);
    bound_view<T, Outer> x{pointer_to<T>(o), {}, found.twin, found.aligned && found.stride[Outer] == 1};
    // On a device an earlier statement's value comes from its register, but not loading it at all would take branches,
    // and they twice the registers. So all load the first elements, which are in the cache, and drop them.
    if (OnHost || found.twin < 0)
      std::copy_n(found.stride, Outer + 1, x.stride);
    else
      x.wide = x.wide && o.address % chunk_alignment(o.element, Lanes) == 0;
    return x;
  }

  template <class View>
  auto operator()(operand<View> const&) {
    using value_type = typename View::non_const_value_type;
    if constexpr (View::rank() == 0 && !OfScalars)
      return bound_scalar<value_type>{pointer_to<value_type const>(operands[next++])};
    else
      return bound<value_type const>();
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
template <class Target, class Expression>
bound_statement(Target, Expression) -> bound_statement<Target, Expression>;

template <class Binder, class View, class E>
auto bind(Binder& with, store_statement<View, E> const& s) {
  store_target<decltype(with.template bound<typename View::value_type>())> const target{
      with.template bound<typename View::value_type>()};
  bound_statement made{target, map_leaves(s.value, with)};
  ++with.statement;
  return made;
}
template <class Binder, class Named, class E>
auto bind(Binder& with, let_statement<Named, E> const& s) {
  bound_statement made{let_target<compute_t<typename E::value_type>>{}, map_leaves(s.value, with)};
  ++with.statement;
  return made;
}
template <class Binder, class Reduction, class Result, class E>
auto bind(Binder& with, reduction_statement<Reduction, Result, E> const& s) {
  using accumulator = typename Reduction::template accumulator<strong_t<typename E::value_type>>;
  auto const target = [&] {
    if constexpr (view_like<Result>) {
      return reduction_target<Reduction, accumulator, typename Result::value_type>{s.result.data()};
    } else {
      reduction_target<Reduction, accumulator, std::remove_pointer_t<Result>> to{s.result};
      if (with.results != nullptr) {
        to.result = reinterpret_cast<Result>(with.results);
        with.results += result_bytes;
      }
      return to;
    }
  }();
  bound_statement made{target, map_leaves(s.value, with)};
  ++with.statement;
  return made;
}

/// Gives the host's variables what kernels have left in `results`.
template <class S>
void give_to_host([[maybe_unused]] std::byte const*& results, [[maybe_unused]] S const& s) {
  if constexpr (goes_to_host<S>) {
    *s.result = *reinterpret_cast<std::remove_pointer_t<decltype(s.result)> const*>(results);
    results += result_bytes;
  }
}

} // namespace onetrip::detail
