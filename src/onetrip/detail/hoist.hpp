// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/chunk.hpp>
#include <onetrip/detail/operand_info.hpp>
#include <onetrip/error.hpp>
#include <onetrip/fuse/let.hpp>
#include <onetrip/fuse/statement.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// Makes of each named expression in a group a statement of its own, before the first one that uses it.

namespace onetrip::detail {

/// Computes a named expression, for the statements that follow.
template <class Named, class Value>
struct let_statement {
  Named const* original;
  Value value;
};

template <class T>
inline constexpr bool is_let = false;
template <class Named, class Value>
inline constexpr bool is_let<let_statement<Named, Value>> = true;

template <class Node>
inline constexpr bool has_names = is_named<Node>;
template <class Operation, class... Arguments>
inline constexpr bool has_names<operation<Operation, Arguments...>> = (has_names<Arguments> || ...);
template <class View, class Expression>
inline constexpr bool has_names<store_statement<View, Expression>> = has_names<Expression>;
template <class Reduction, class Result, class Expression>
inline constexpr bool has_names<reduction_statement<Reduction, Result, Expression>> = has_names<Expression>;

template <class T>
struct named_by;
template <class Name, class Value>
struct named_by<named<Name, Value>> {
  using type = Name;
};
template <class Named>
using name_type = typename named_by<Named>::type;

/// Where in a pack of statements `Named` is computed; -1: nowhere.
template <class Named, class Pack>
inline constexpr int position_of = -1;
template <class Named, class First, class... Rest>
inline constexpr int position_of<Named, pack<First, Rest...>> = [] {
  if constexpr (is_let<First>) {
    using other = std::remove_cvref_t<decltype(*First::original)>;
    if constexpr (std::is_same_v<other, Named>)
      return 0;
    static_assert(std::is_same_v<other, Named> || !std::is_same_v<name_type<other>, name_type<Named>>,
                  "onetrip::let: one name stands for two formulas in a group");
  }
  constexpr int later = position_of<Named, pack<Rest...>>;
  return later < 0 ? -1 : later + 1;
}();

/// Replaces named expressions by what the statements in `Pack` have computed.
template <class Pack>
struct replacer {
  template <class Leaf>
  auto operator()(Leaf const& x) const {
    if constexpr (is_named<Leaf>)
      return computed<position_of<Leaf, Pack>, typename Leaf::value_type>{};
    else
      return x;
  }
};

/// What tells two expressions of one type apart.
struct leaf_bytes {
  std::vector<std::byte> bytes;

  template <class T>
  void add(T const& x) {
    auto const* from = reinterpret_cast<std::byte const*>(&x);
    bytes.insert(bytes.end(), from, from + sizeof(T));
  }
  template <class View>
  void operator()(operand<View> const& x) {
    operand_info info;
    describe(info, x.held.view(), x.held, false);
    add(info.address);
    for (int d = 0; d < info.rank; ++d) {
      add(info.extent[d]);
      add(info.stride[d]);
    }
  }
  template <class T>
  void operator()(constant<T> const& x) {
    add(x.value);
  }
  template <class F>
  void operator()(function<F> const& x) {
    if constexpr (!std::is_empty_v<F>)
      add(x.call);
  }
  template <class Name, class Value>
  void operator()(named<Name, Value> const& x) {
    for_each_leaf(x.value, *this);
  }
  template <class Leaf>
  void operator()(Leaf const&) {}
};

template <class Named>
void check_same_operands(Named const& a, Named const& b) {
  leaf_bytes of_a, of_b;
  of_a(a);
  of_b(b);
  if (of_a.bytes != of_b.bytes)
    throw error(std::string("onetrip::fuse: the name '") + name_type<Named>::text.text +
                "' stands for one formula of different operands");
}

/// `done`, and after it a statement for each named expression in `x` that it lacks.
template <class Done, class Node>
auto add_lets(Done const& done, Node const& x) {
  if constexpr (is_operation<Node>) {
    return add_lets(done, x.arguments);
  } else if constexpr (is_pack<Node>) {
    if constexpr (Node::size == 1)
      return add_lets(done, x.first());
    else
      return add_lets(add_lets(done, x.first()), x.rest());
  } else if constexpr (is_named<Node>) {
    constexpr int position = position_of<Node, Done>;
    if constexpr (position >= 0) {
      check_same_operands(*get<position>(done).original, x);
      return done;
    } else {
      auto const inner = add_lets(done, x.value);
      replacer<std::remove_const_t<decltype(inner)>> replace;
      auto value = map_leaves(x.value, replace);
      return append(inner, let_statement<Node, decltype(value)>{&x, value});
    }
  } else {
    return done;
  }
}

template <class Pack, class View, class E>
auto replaced(Pack const&, store_statement<View, E> const& s) {
  replacer<Pack> replace;
  auto value = map_leaves(s.value, replace);
  return store_statement<View, decltype(value)>{s.out, value};
}
template <class Pack, class Reduction, class Result, class E>
auto replaced(Pack const&, reduction_statement<Reduction, Result, E> const& s) {
  replacer<Pack> replace;
  auto value = map_leaves(s.value, replace);
  return reduction_statement<Reduction, Result, decltype(value)>{s.result, value};
}

template <class Done>
auto hoist(Done const& done) {
  return done;
}
template <class Done, class First, class... Rest>
auto hoist(Done const& done, First const& s, Rest const&... rest) {
  auto const with = add_lets(done, s.value);
  return hoist(append(with, replaced(with, s)), rest...);
}

/// `f(statements...)`, named expressions made statements.
template <class F, class... S>
decltype(auto) with_names_hoisted(F const& f, S const&... statements) {
  if constexpr ((has_names<S> || ...))
    return unpack(f, hoist(pack<>{}, statements...));
  else
    return f(statements...);
}

} // namespace onetrip::detail
