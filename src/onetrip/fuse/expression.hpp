// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/held_view.hpp>
#include <onetrip/detail/pack.hpp>
#include <onetrip/error.hpp>
#include <onetrip/fuse/types.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace onetrip {

// An expression is a tree by value: it holds its Views, may outlive the names it was made from, and runs nothing.

/// A View in an expression. Where its rank is 0 it is a scalar, read when the kernel runs.
template <view_like View>
struct operand {
  using value_type = typename View::non_const_value_type;
  detail::held_view<View> held;
};

/// A host scalar in an expression, by value. It takes the type of the Views that it meets.
template <number T>
struct constant {
  using value_type = detail::weak<T>;
  T value;
};

/// A constant that the compiler knows.
template <auto Value>
struct known_constant {
  using value_type = detail::weak<std::remove_const_t<decltype(Value)>>;
  static constexpr auto known = Value;
};

/// The index of an element along one dimension of the statement's shape.
template <int Dimension>
struct index_of {
  static_assert(Dimension >= 0 && Dimension < 8, "onetrip::index: a dimension is 0 to 7");
  using value_type = std::int64_t;
};

/// The user's own function in an expression.
template <class Function>
struct function {
  using value_type = std::type_identity<Function>;
  Function call;
};

/// What `Operation` makes of expressions, element by element. (No base class and no stored `Operation`: equal empty
/// ones may not share an address, which would double the size of a chain.)
template <class Operation, class... Arguments>
struct operation {
  using value_type = typename Operation::template result<typename Arguments::value_type...>;
  detail::pack<Arguments...> arguments;
};

namespace detail {

template <class T>
inline constexpr bool is_expression = false;
template <class View>
inline constexpr bool is_expression<operand<View>> = true;
template <class T>
inline constexpr bool is_expression<constant<T>> = true;
template <auto Value>
inline constexpr bool is_expression<known_constant<Value>> = true;
template <int Dimension>
inline constexpr bool is_expression<index_of<Dimension>> = true;
template <class Operation, class... Arguments>
inline constexpr bool is_expression<operation<Operation, Arguments...>> = true;

} // namespace detail

/// Made of `in`, `index` and what operators and functions make of them.
template <class T>
concept expression = detail::is_expression<T>;

/// What an operator or function takes beside an expression: an expression, a View of numbers or a number.
template <class T>
concept expression_like = expression<T> || view_like<T> || number<T>;

namespace detail {

template <class T>
  requires expression_like<std::remove_cvref_t<T>>
auto as_expression(T&& x) {
  using type = std::remove_cvref_t<T>;
  if constexpr (expression<type>) {
    return type(std::forward<T>(x));
  } else if constexpr (view_like<type>) {
    static_assert(number<typename type::non_const_value_type>,
                  "onetrip: an expression takes Views of arithmetic, half or complex numbers");
    return operand<type>{detail::held_view<type>(x)};
  } else {
    return constant<type>{x};
  }
}

template <class T>
using as_expression_t = decltype(as_expression(std::declval<T const&>()));

/// An argument of an operation that computes in `Common`: a constant is converted here, on the host, once.
template <class Common, class Argument>
Argument&& as_met(Argument&& x) {
  return std::forward<Argument>(x);
}
template <class Common, class T>
  requires(std::is_floating_point_v<compute_t<Common>> && !is_complex<T>)
auto as_met(constant<T>&& x) {
  return constant<compute_t<Common>>{static_cast<compute_t<Common>>(x.value)};
}

/// An integer that meets Views of integers fits their type.
template <class Common, class T>
  requires(is_integer<Common> && is_integer<T>)
auto as_met(constant<T>&& x) {
  auto const met = static_cast<Common>(x.value);
  bool const same_sign = (met < Common(1)) == (x.value < T(1)); // of what is not 0
  if (static_cast<T>(met) != x.value || !same_sign)
    throw error("onetrip: " + std::to_string(x.value) + " does not fit the " + std::to_string(8 * sizeof(Common)) +
                "-bit " + (std::is_signed_v<Common> ? "" : "unsigned ") + "integers that it meets; cast one of them");
  return constant<Common>{met};
}

/// The same as `as_expression`, but an expression itself is not moved: each operation moves what it is of once.
template <class T>
decltype(auto) forward_expression(T&& x) {
  if constexpr (expression<std::remove_cvref_t<T>>)
    return std::forward<T>(x);
  else
    return as_expression(x);
}

/// The node of `Operation` over what the arguments are as expressions.
template <class Operation, class... T>
auto make_operation(T&&... x) {
  using common = common_t<typename as_expression_t<T>::value_type...>;
  return operation<Operation, std::remove_cvref_t<decltype(as_met<common>(forward_expression(std::forward<T>(x))))>...>{
      make_pack(as_met<common>(forward_expression(std::forward<T>(x)))...)};
}

// Whether operators and functions apply: at least one is an expression already.
template <class... T>
concept any_expression =
    (expression_like<std::remove_cvref_t<T>> && ...) && (expression<std::remove_cvref_t<T>> || ...);

// The operators of namespace `operators`: at least one View, and no expression.
template <class... T>
concept any_view = (expression_like<std::remove_cvref_t<T>> && ...) && (view_like<std::remove_cvref_t<T>> || ...) &&
                   !(expression<std::remove_cvref_t<T>> || ...);

// For functions, whose names are ours: a View is enough.
template <class... T>
concept any_operand = (expression_like<std::remove_cvref_t<T>> && ...) &&
                      ((expression<std::remove_cvref_t<T>> || view_like<std::remove_cvref_t<T>>) || ...);

template <class T>
inline constexpr bool is_operation = false;
template <class Operation, class... Arguments>
inline constexpr bool is_operation<operation<Operation, Arguments...>> = true;

template <class Node, class Arguments>
struct with_arguments;
template <class Operation, class... Old, class... New>
struct with_arguments<operation<Operation, Old...>, pack<New...>> {
  using type = operation<Operation, New...>;
};

/// The same tree with each leaf replaced by `f(leaf)`, from left to right. Also for a pack of trees.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable // `f` is of the host when a plan is made, of the device in a kernel
#endif
template <class Node, class F>
KOKKOS_FORCEINLINE_FUNCTION auto map_leaves(Node const& x, F& f) {
  if constexpr (is_operation<Node>) {
    using arguments = decltype(map_leaves(x.arguments, f));
    return typename with_arguments<Node, arguments>::type{map_leaves(x.arguments, f)};
  } else if constexpr (is_pack<Node>) {
    using first = decltype(map_leaves(x.first(), f));
    if constexpr (Node::size == 1) {
      if constexpr (std::is_empty_v<first>)
        return pack<first>{};
      else
        return pack<first>{map_leaves(x.first(), f)};
    } else {
      using rest = decltype(map_leaves(x.rest(), f));
      if constexpr (std::is_empty_v<first> && std::is_empty_v<rest>)
        return prepend_t<first, rest>{};
      else if constexpr (std::is_empty_v<first>)
        return prepend_t<first, rest>{map_leaves(x.rest(), f)};
      else if constexpr (std::is_empty_v<rest>)
        return prepend_t<first, rest>{map_leaves(x.first(), f)};
      else
        return prepend_t<first, rest>{map_leaves(x.first(), f), map_leaves(x.rest(), f)};
    }
  } else {
    return f(x);
  }
}

/// `f(leaf)` for each leaf, from left to right.
template <class Node, class F>
void for_each_leaf(Node const& x, F& f) {
  if constexpr (is_operation<Node>) {
    for_each_leaf(x.arguments, f);
  } else if constexpr (is_pack<Node>) {
    for_each_leaf(x.first(), f);
    if constexpr (Node::size > 1)
      for_each_leaf(x.rest(), f);
  } else {
    f(x);
  }
}

} // namespace detail

/// A View as an expression; nothing runs. The expression holds the View.
template <view_like View>
auto in(View const& view) {
  return detail::as_expression(view);
}

/// A number that the compiler knows: `literal<0.5> * in(x)`. As fast as in a hand-written kernel, where a host scalar
/// is read from the kernel's arguments; that shows in GPU kernels of dozens of constants, and nowhere else.
template <auto Value>
inline constexpr known_constant<Value> literal{};

/// The index of the element along a dimension of the statement's shape, as `std::int64_t`.
template <int Dimension>
index_of<Dimension> index() {
  return {};
}

} // namespace onetrip
