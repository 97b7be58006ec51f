// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/hoist.hpp>
#include <onetrip/detail/pack.hpp>
#include <onetrip/fuse/statement.hpp>

#include <algorithm>
#include <type_traits>

// What can be said of statements by their types alone.

namespace onetrip::detail {

template <class Node>
struct leaf_types {
  static constexpr int operands = 0; ///< Views
  static constexpr int views = 0;    ///< of rank 1 and more
  static constexpr int constants = 0;
  static constexpr int largest_rank = 0;
  static constexpr int smallest = 16; ///< bytes of an element
  static constexpr int indices = 0;   ///< dimensions that index nodes ask for
};
template <class View>
struct leaf_types<operand<View>> {
  static constexpr int operands = 1;
  static constexpr int largest_rank = static_cast<int>(View::rank());
  static constexpr int views = largest_rank > 0 ? 1 : 0;
  static constexpr int constants = 0;
  static constexpr int smallest = largest_rank > 0 ? static_cast<int>(sizeof(typename View::value_type)) : 16;
  static constexpr int indices = 0;
};
template <class T>
struct leaf_types<constant<T>> : leaf_types<void> {
  static constexpr int constants = 1;
};
template <int Dimension>
struct leaf_types<index_of<Dimension>> : leaf_types<void> {
  static constexpr int indices = Dimension + 1;
};
template <class... Node>
struct leaf_types<pack<Node...>> {
  static constexpr int operands = (0 + ... + leaf_types<Node>::operands);
  static constexpr int views = (0 + ... + leaf_types<Node>::views);
  static constexpr int constants = (0 + ... + leaf_types<Node>::constants);
  static constexpr int largest_rank = std::max({0, leaf_types<Node>::largest_rank...});
  static constexpr int smallest = std::min({16, leaf_types<Node>::smallest...});
  static constexpr int indices = std::max({0, leaf_types<Node>::indices...});
};
template <class Operation, class... Arguments>
struct leaf_types<operation<Operation, Arguments...>> : leaf_types<pack<Arguments...>> {};
template <class View, class Expression>
struct leaf_types<store_statement<View, Expression>> : leaf_types<pack<operand<View>, Expression>> {};
template <class Named, class Expression>
struct leaf_types<let_statement<Named, Expression>> : leaf_types<Expression> {};
template <class Reduction, class Result, class Expression>
struct leaf_types<reduction_statement<Reduction, Result, Expression>> : leaf_types<Expression> {};

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

template <class T>
inline constexpr bool goes_to_host = false;
template <class Reduction, class T, class E>
inline constexpr bool goes_to_host<reduction_statement<Reduction, T*, E>> = true;

/// The execution space of the first View in statements.
template <class... Node>
struct space_of {
  using type = void;
};
template <class First, class... Rest>
struct space_of<First, Rest...> {
  using of_first = typename space_of<First>::type;
  using type = typename std::conditional_t<std::is_void_v<of_first>, space_of<Rest...>, space_of<First>>::type;
};
template <class Leaf>
struct space_of<Leaf> {
  using type = void;
};
template <class View>
struct space_of<operand<View>> {
  using type = typename View::execution_space;
};
template <class Operation, class... Arguments>
struct space_of<operation<Operation, Arguments...>> : space_of<Arguments...> {};
template <class Name, class Expression>
struct space_of<named<Name, Expression>> : space_of<Expression> {};
template <class View, class Expression>
struct space_of<store_statement<View, Expression>> : space_of<operand<View>> {};
template <class Reduction, class Result, class Expression>
struct space_of<reduction_statement<Reduction, Result, Expression>> : space_of<Expression> {};

} // namespace onetrip::detail
