// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/operations.hpp>
#include <onetrip/fuse/expression.hpp>

#include <type_traits>
#include <utility>

// Operators where one operand is an expression already, found wherever it goes; and in namespace onetrip::operators the
// same for Views and numbers alone.

namespace onetrip {

namespace detail {

template <class T>
using value_of = typename as_expression_t<T>::value_type;

/// Fails to compile where one of the values is a bool. `For`: so that compilers say it again for each use.
template <class For, class... E>
consteval void check_arithmetic() {
  static_assert((!has_bool_value<value_of<E>> && ...),
                "onetrip: arithmetic on bool; write cast<int>(...), or both(a, b), either(a, b), where(c, a, b)");
}

template <class Operation, class... E>
auto make_arithmetic(E&&... x) {
  constexpr bool has_integers = has_integer_value<common_t<value_of<E>...>>;
  check_arithmetic<Operation, E...>();
  static_assert(!std::is_same_v<Operation, divided_by> || !has_integers,
                "onetrip: division of integers; write cast<double>(a) / b, or quotient(a, b) for the truncated one");
  static_assert(!std::is_same_v<Operation, modulo> || has_integers,
                "onetrip: % takes integers; for real numbers there is onetrip::fmod");
  return make_operation<Operation>(std::forward<E>(x)...);
}

template <template <class> class Comparison, class L, class R>
auto make_comparison(L&& left, R&& right) {
  using in = compared_in<value_of<L>, value_of<R>>;
  return make_operation<Comparison<in>>(std::forward<L>(left), std::forward<R>(right));
}

} // namespace detail

#define ONETRIP_ARITHMETIC(applies, symbol, name)                                                                      \
  template <class L, class R>                                                                                          \
    requires detail::applies<L, R>                                                                                     \
  auto operator symbol(L&& left, R&& right) {                                                                          \
    return detail::make_arithmetic<detail::name>(std::forward<L>(left), std::forward<R>(right));                       \
  }
#define ONETRIP_COMPARISON(applies, symbol, name)                                                                      \
  template <class L, class R>                                                                                          \
    requires detail::applies<L, R>                                                                                     \
  auto operator symbol(L&& left, R&& right) {                                                                          \
    return detail::make_comparison<detail::name>(std::forward<L>(left), std::forward<R>(right));                       \
  }
// All but == and !=, which Kokkos' Views have.
#define ONETRIP_OPERATORS(applies)                                                                                     \
  ONETRIP_ARITHMETIC(applies, +, plus)                                                                                 \
  ONETRIP_ARITHMETIC(applies, -, minus)                                                                                \
  ONETRIP_ARITHMETIC(applies, *, times)                                                                                \
  ONETRIP_ARITHMETIC(applies, /, divided_by)                                                                           \
  ONETRIP_ARITHMETIC(applies, %, modulo)                                                                               \
  ONETRIP_COMPARISON(applies, <, less)                                                                                 \
  ONETRIP_COMPARISON(applies, <=, less_or_equal)                                                                       \
  ONETRIP_COMPARISON(applies, >, greater)                                                                              \
  ONETRIP_COMPARISON(applies, >=, greater_or_equal)                                                                    \
  template <class E>                                                                                                   \
    requires detail::applies<E>                                                                                        \
  auto operator-(E&& x) {                                                                                              \
    return detail::make_arithmetic<detail::negate>(std::forward<E>(x));                                                \
  }                                                                                                                    \
  template <class E>                                                                                                   \
    requires detail::applies<E>                                                                                        \
  auto operator!(E&& x) {                                                                                              \
    return detail::make_operation<detail::logical_not>(std::forward<E>(x));                                            \
  }                                                                                                                    \
  template <class E>                                                                                                   \
    requires detail::applies<E>                                                                                        \
  auto operator+(E const& x) {                                                                                         \
    return detail::as_expression(x);                                                                                   \
  }

ONETRIP_OPERATORS(any_expression)
ONETRIP_COMPARISON(any_expression, ==, equal_to)
ONETRIP_COMPARISON(any_expression, !=, not_equal_to)

/// `using namespace onetrip::operators` makes expressions of Views and numbers without `in`: `(a + b) * c / 3.0`. A
/// namespace that has an operator of the same symbol hides a using-directive's: there, `using
/// onetrip::operators::operator+;` in the function, or `in`. == of two Views stays Kokkos' own: `equal(a, b)`.
namespace operators {

ONETRIP_OPERATORS(any_view)

} // namespace operators

#undef ONETRIP_OPERATORS
#undef ONETRIP_COMPARISON
#undef ONETRIP_ARITHMETIC

} // namespace onetrip
