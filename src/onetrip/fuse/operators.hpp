// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/operations.hpp>
#include <onetrip/fuse/expression.hpp>

#include <type_traits>
#include <utility>

// Operators on expressions. They apply where one operand is an expression already, and are found wherever it goes.

namespace onetrip {

namespace detail {

template <class T>
using value_of = typename as_expression_t<T>::value_type;

template <class L, class R>
consteval void check_arithmetic() {
  static_assert(!has_bool_value<value_of<L>> && !has_bool_value<value_of<R>>,
                "onetrip: arithmetic on bool; write cast<int>(...), or both(a, b), either(a, b), where(c, a, b)");
}

} // namespace detail

#define ONETRIP_OPERATOR(symbol, name)                                                                                 \
  template <class L, class R>                                                                                          \
    requires detail::any_expression<L, R>                                                                              \
  auto operator symbol(L&& left, R&& right) {                                                                          \
    detail::check_arithmetic<L, R>();                                                                                  \
    return detail::make_operation<detail::name>(std::forward<L>(left), std::forward<R>(right));                        \
  }
ONETRIP_OPERATOR(+, plus)
ONETRIP_OPERATOR(-, minus)
ONETRIP_OPERATOR(*, times)
#undef ONETRIP_OPERATOR

template <class L, class R>
  requires detail::any_expression<L, R>
auto operator/(L&& left, R&& right) {
  detail::check_arithmetic<L, R>();
  static_assert(!detail::has_integer_value<detail::common_t<detail::value_of<L>, detail::value_of<R>>>,
                "onetrip: division of integers; write cast<double>(a) / b, or quotient(a, b) for the truncated one");
  return detail::make_operation<detail::divided_by>(std::forward<L>(left), std::forward<R>(right));
}

/// The remainder of the truncated quotient of two integers.
template <class L, class R>
  requires detail::any_expression<L, R>
auto operator%(L&& left, R&& right) {
  static_assert(detail::has_integer_value<detail::common_t<detail::value_of<L>, detail::value_of<R>>>,
                "onetrip: % takes integers; for real numbers there is onetrip::fmod");
  return detail::make_operation<detail::modulo>(std::forward<L>(left), std::forward<R>(right));
}

template <class E>
  requires detail::any_expression<E>
auto operator-(E&& x) {
  detail::check_arithmetic<E, E>();
  return detail::make_operation<detail::negate>(std::forward<E>(x));
}
template <expression E>
auto operator+(E const& x) {
  return x;
}
template <class E>
  requires detail::any_expression<E>
auto operator!(E&& x) {
  return detail::make_operation<detail::logical_not>(std::forward<E>(x));
}

#define ONETRIP_COMPARISON(symbol, name)                                                                               \
  template <class L, class R>                                                                                          \
    requires detail::any_expression<L, R>                                                                              \
  auto operator symbol(L&& left, R&& right) {                                                                          \
    using in = detail::compared_in<detail::value_of<L>, detail::value_of<R>>;                                          \
    return detail::make_operation<detail::name<in>>(std::forward<L>(left), std::forward<R>(right));                    \
  }
ONETRIP_COMPARISON(<, less)
ONETRIP_COMPARISON(<=, less_or_equal)
ONETRIP_COMPARISON(>, greater)
ONETRIP_COMPARISON(>=, greater_or_equal)
ONETRIP_COMPARISON(==, equal_to)
ONETRIP_COMPARISON(!=, not_equal_to)
#undef ONETRIP_COMPARISON

} // namespace onetrip
