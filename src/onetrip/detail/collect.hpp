// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/group_types.hpp>
#include <onetrip/detail/hoist.hpp>
#include <onetrip/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

// What a plan has to know of statements.

namespace onetrip::detail {

/// In the order in which `binder` meets their operands.
template <class ExecutionSpace, int Operands, int Statements>
struct collected {
  few<operand_info, Operands> operands;
  few<operand_info, Statements> results;
  few<statement_info, Statements> statements;

  template <class... S>
  explicit collected(S const&... s) {
    (add(s), ...);
  }

  planner plan(char const* who, alias_rules rules) {
    return planner(who, rules, operands.all(), statements.all(), results.all());
  }

  template <class View>
  void operator()(operand<View> const& x) {
    check_access<View>();
    describe(operands.add(), x.held.view(), x.held, false);
  }
  template <int K, class T>
  void operator()(computed<K, T> const&) {
    static_assert(K < 64, "onetrip::let: a group has 64 statements and names at most before the last name");
    m_uses |= std::uint64_t{1} << K;
  }
  template <class Leaf>
  void operator()(Leaf const&) {}

private:
  template <class View>
  static void check_access() {
    static_assert(accessible_from<View, ExecutionSpace>,
                  "onetrip: a View lies in memory that the execution space can't reach; copy it there first");
  }

  template <class View, class E>
  void add(store_statement<View, E> const& s) {
    check_access<View>();
    int const first = operands.count;
    describe(operands.add(), s.out, s.out, true);
    add(first, statement_kind::store, s.value);
  }
  template <class Named, class E>
  void add(let_statement<Named, E> const& s) {
    add(operands.count, statement_kind::let, s.value);
  }
  template <class Reduction, class Result, class E>
  void add(reduction_statement<Reduction, Result, E> const& s) {
    if constexpr (view_like<Result>) {
      check_access<Result>();
      describe(results.add(), s.result, s.result, true);
    }
    add(operands.count, statement_kind::reduction, s.value);
  }
  template <class E>
  void add(int first, statement_kind kind, E const& value) {
    m_uses = 0;
    for_each_leaf(value, *this);
    statements.add() = {first, operands.count, kind, m_uses};
  }

  std::uint64_t m_uses = 0; ///< of the statement that is being added
};

template <class ExecutionSpace, class... S>
using collected_from = collected<ExecutionSpace, leaf_types<pack<S...>>::operands, sizeof...(S)>;

} // namespace onetrip::detail
