// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/fuse/expression.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace onetrip {

namespace detail {

/// A string literal as a template argument.
template <std::size_t Size>
struct literal_name {
  char text[Size]{};
  // NOLINTNEXTLINE(google-explicit-constructor): let<"name">
  consteval literal_name(char const (&from)[Size]) { std::copy_n(from, Size, text); }
};

/// A name as a type.
template <literal_name Text>
struct name {
  static constexpr auto text = Text;
};

} // namespace detail

/// An expression that has a name in its group, where it is computed once.
template <class Name, expression Value>
struct named {
  using value_type = typename Value::value_type;
  Value value;
};

namespace detail {

template <class T>
inline constexpr bool is_named = false;
template <class Name, class Value>
inline constexpr bool is_named<named<Name, Value>> = true;
template <class Name, class Value>
inline constexpr bool is_expression<named<Name, Value>> = true;

} // namespace detail

/// The value of `value` under a name: computed once for each element, in the first statement of a group that uses it,
/// and kept for those that follow, also where they write what it was made of. Costs a register for each element (256
/// elements of stack on the host). Within one group a name stands for one formula of the same operands; `fuse` throws
/// `error` where it doesn't.
template <detail::literal_name Name, class E>
  requires expression_like<std::remove_cvref_t<E>>
auto let(E&& value) {
  return named<detail::name<Name>, detail::as_expression_t<E>>{detail::as_expression(std::forward<E>(value))};
}

} // namespace onetrip
