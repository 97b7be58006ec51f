// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/fuse/operators.hpp>

#include <type_traits>
#include <utility>

// Functions on expressions, Views and numbers, called qualified: onetrip::sqrt(x).

namespace onetrip {

/// Kokkos' function of that name, element by element; an integer counts as double.
#define ONETRIP_FUNCTION(name)                                                                                         \
  template <class E>                                                                                                   \
    requires detail::any_operand<E>                                                                                    \
  auto name(E&& x) {                                                                                                   \
    return detail::make_operation<detail::name##_function>(std::forward<E>(x));                                        \
  }
ONETRIP_FUNCTIONS(ONETRIP_FUNCTION)
ONETRIP_CLASSIFICATIONS(ONETRIP_FUNCTION)
ONETRIP_FUNCTION(abs)
ONETRIP_FUNCTION(real)
ONETRIP_FUNCTION(imag)
ONETRIP_FUNCTION(conj)
#undef ONETRIP_FUNCTION
#undef ONETRIP_FUNCTIONS
#undef ONETRIP_CLASSIFICATIONS

#define ONETRIP_FUNCTION(name)                                                                                         \
  template <class L, class R>                                                                                          \
    requires detail::any_operand<L, R>                                                                                 \
  auto name(L&& left, R&& right) {                                                                                     \
    return detail::make_operation<detail::name##_function>(std::forward<L>(left), std::forward<R>(right));             \
  }
ONETRIP_FUNCTIONS_OF_TWO(ONETRIP_FUNCTION)
#undef ONETRIP_FUNCTION
#undef ONETRIP_FUNCTIONS_OF_TWO

/// a b + c, rounded once.
template <class A, class B, class C>
  requires detail::any_operand<A, B, C>
auto fma(A&& a, B&& b, C&& c) {
  return detail::make_operation<detail::fma_function>(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}

/// The lesser, the greater; NaN where either is NaN. The second of each pair keeps the unqualified call on two Views or
/// expressions of one type ours where Kokkos' or std's is found too.
template <class L, class R>
  requires detail::any_operand<L, R>
auto min(L const& left, R const& right) {
  return detail::make_operation<detail::minimum>(left, right);
}
template <class T>
  requires detail::any_operand<T>
auto min(T const& left, T const& right) {
  return detail::make_operation<detail::minimum>(left, right);
}
template <class L, class R>
  requires detail::any_operand<L, R>
auto max(L const& left, R const& right) {
  return detail::make_operation<detail::maximum>(left, right);
}
template <class T>
  requires detail::any_operand<T>
auto max(T const& left, T const& right) {
  return detail::make_operation<detail::maximum>(left, right);
}

/// min(max(x, low), high)
template <class X, class L, class H>
  requires detail::any_operand<X, L, H>
auto clamp(X const& x, L const& low, H const& high) {
  return onetrip::min(onetrip::max(detail::as_expression(x), low), high);
}
template <class T>
  requires detail::any_operand<T>
auto clamp(T const& x, T const& low, T const& high) {
  return onetrip::min(onetrip::max(detail::as_expression(x), low), high);
}

/// `a` where the condition holds, else `b`; both are computed.
template <class C, class A, class B>
  requires detail::any_operand<C, A, B>
auto where(C&& condition, A&& a, B&& b) {
  static_assert(detail::has_bool_value<detail::value_of<C>>, "onetrip::where: the condition is not a bool");
  return detail::make_operation<detail::select>(std::forward<C>(condition), std::forward<A>(a), std::forward<B>(b));
}

/// Both, either of two conditions (an operator && can't be lazy, and there is none).
template <class L, class R>
  requires detail::any_operand<L, R>
auto both(L const& left, R const& right) {
  static_assert(detail::has_bool_value<detail::value_of<L>> && detail::has_bool_value<detail::value_of<R>>,
                "onetrip::both: a condition is not a bool");
  return detail::make_operation<detail::logical_and>(left, right);
}
template <class L, class R>
  requires detail::any_operand<L, R>
auto either(L const& left, R const& right) {
  static_assert(detail::has_bool_value<detail::value_of<L>> && detail::has_bool_value<detail::value_of<R>>,
                "onetrip::either: a condition is not a bool");
  return detail::make_operation<detail::logical_or>(left, right);
}

/// a == b, also of two Views, whose own == is Kokkos'.
template <class L, class R>
  requires detail::any_operand<L, R>
auto equal(L const& left, R const& right) {
  return detail::as_expression(left) == detail::as_expression(right);
}

/// The quotient of two integers, truncated.
template <class L, class R>
  requires detail::any_operand<L, R>
auto quotient(L const& left, R const& right) {
  static_assert(detail::has_integer_value<detail::common_t<detail::value_of<L>, detail::value_of<R>>>,
                "onetrip::quotient: takes integers");
  return detail::make_operation<detail::divided_by>(left, right);
}

/// The value as a `T`, rounded to it.
template <number T, class E>
  requires detail::any_operand<E>
auto cast(E const& x) {
  static_assert(!detail::is_complex<detail::strong_t<detail::value_of<E>>> || detail::is_complex<T>,
                "onetrip::cast: of a complex number take real(x), imag(x) or abs(x)");
  return detail::make_operation<detail::cast_to<T>>(x);
}

/// `f` of the values, element by element. `f` is callable on the device, and its type at namespace scope; half values
/// reach it as float.
template <class F, class... E>
  requires(std::is_class_v<F> && detail::any_operand<E...>)
auto map(F const& f, E const&... x) {
  return operation<detail::apply, function<F>, detail::as_expression_t<E>...>{
      detail::make_pack(function<F>{f}, detail::as_expression(x)...)};
}

} // namespace onetrip
