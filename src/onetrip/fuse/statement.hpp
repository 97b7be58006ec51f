// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/fuse/math.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace onetrip {

/// An expression and the View that takes its values. Does nothing until `fuse` gets it.
template <view_like View, expression Expression>
struct [[nodiscard]] store_statement {
  View out;
  Expression value;
};

/// An expression and where to its values are reduced: a View of rank 0, or a number of the host's by its address. Does
/// nothing until `fuse` gets it.
template <class Reduction, class Result, expression Expression>
struct [[nodiscard]] reduction_statement {
  Result result;
  Expression value;
};

namespace detail {

template <class T>
inline constexpr bool is_store = false;
template <class View, class Expression>
inline constexpr bool is_store<store_statement<View, Expression>> = true;
template <class T>
inline constexpr bool is_reduction = false;
template <class Reduction, class Result, class Expression>
inline constexpr bool is_reduction<reduction_statement<Reduction, Result, Expression>> = true;

// What a reduction accumulates in, from which value, and how. `natural` is the type whose values its result has.

/// float and half accumulate in double, integers in 64 bits: a sum of 1e9 ones is 1e9.
template <class T>
struct sum_accumulator {
  using type = std::conditional_t<is_floating<T>, double,
                                  std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>>;
};
template <class T>
struct sum_accumulator<Kokkos::complex<T>> {
  using type = Kokkos::complex<double>;
};

struct sum_reduction {
  template <class T>
  using natural = T;
  template <class T>
  using accumulator = typename sum_accumulator<T>::type;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return A(0);
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A join(A a, A b) {
    return a + b;
  }
};

/// A sum of what was made of `Value`s.
template <class Value>
struct sum_as : sum_reduction {
  template <class>
  using natural = Value;
};

/// Of NaN and anything, NaN.
struct min_reduction {
  template <class T>
  using natural = T;
  template <class T>
  using accumulator = compute_t<T>;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    if constexpr (is_floating<A>)
      return Kokkos::Experimental::infinity_v<A>;
    else
      return Kokkos::Experimental::finite_max_v<A>;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A join(A a, A b) {
    return minimum::call<A>(a, b);
  }
};
struct max_reduction {
  template <class T>
  using natural = T;
  template <class T>
  using accumulator = compute_t<T>;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    if constexpr (is_floating<A>)
      return -Kokkos::Experimental::infinity_v<A>;
    else
      return Kokkos::Experimental::finite_min_v<A>;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A join(A a, A b) {
    return maximum::call<A>(a, b);
  }
};

struct count_reduction : sum_reduction {
  template <class>
  using natural = std::uint8_t; // any integer may take it
  template <class>
  using accumulator = std::int64_t;
};
struct any_reduction {
  template <class>
  using natural = bool;
  template <class>
  using accumulator = bool;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return false;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A join(A a, A b) {
    return a | b;
  }
};
struct all_reduction {
  template <class>
  using natural = bool;
  template <class>
  using accumulator = bool;
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A identity() {
    return true;
  }
  template <class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr A join(A a, A b) {
    return a & b;
  }
};

template <class Reduction, class Result, class E>
auto make_reduction(Result&& result, E&& value) {
  using to = std::remove_cvref_t<Result>;
  using natural = typename Reduction::template natural<strong_t<value_of<E>>>;
  if constexpr (view_like<to>) {
    using written = typename to::value_type;
    static_assert(to::rank() == 0, "onetrip: a reduction's result is a View of rank 0, or a variable of the host's");
    static_assert(!std::is_const_v<written>, "onetrip: a reduction's result is a View of const");
    static_assert(stores_without_cast<natural, std::remove_const_t<written>>(),
                  "onetrip: a reduction's result is of a narrower type than its values; write cast<T>(...)");
    return reduction_statement<Reduction, to, as_expression_t<E>>{result, as_expression(std::forward<E>(value))};
  } else {
    static_assert(number<to> && std::is_lvalue_reference_v<Result> && !std::is_const_v<std::remove_reference_t<Result>>,
                  "onetrip: a reduction's result is a View of rank 0, or a variable of the host's");
    static_assert(stores_without_cast<natural, to>(),
                  "onetrip: a reduction's result is of a narrower type than its values; write cast<T>(...)");
    return reduction_statement<Reduction, to*, as_expression_t<E>>{&result, as_expression(std::forward<E>(value))};
  }
}

template <class E>
consteval void check_condition() {
  static_assert(has_bool_value<value_of<E>>, "onetrip: count, any and all take conditions, such as in(x) > 0");
}
template <class E>
consteval void check_ordered() {
  static_assert(!has_bool_value<value_of<E>> && !is_complex<strong_t<value_of<E>>>,
                "onetrip: min_of and max_of take real numbers");
}

} // namespace detail

/// `out = value` for every element of `out`. A later statement of the same `fuse` sees the new value.
template <view_like View, class E>
  requires expression_like<std::remove_cvref_t<E>>
auto store(View const& out, E&& value) {
  using to = typename View::value_type;
  static_assert(!std::is_const_v<to>, "onetrip::store: the output is a View of const");
  static_assert(number<std::remove_const_t<to>>, "onetrip::store: the output is not a View of numbers");
  static_assert(detail::stores_without_cast<detail::value_of<E>, std::remove_const_t<to>>(),
                "onetrip::store: the value is of a wider type than the output; write cast<T>(...)");
  return store_statement<View, detail::as_expression_t<E>>{out, detail::as_expression(std::forward<E>(value))};
}

// Reductions. The result is a View of rank 0 in memory that the kernel reaches, or a variable of the host's, for which
// `fuse` waits. It is overwritten; of no elements it is the identity. A NaN among the values makes sums, min_of and
// max_of NaN.

/// The sum; 0 of no elements. float and half accumulate in double, integers in 64 bits.
template <class Result, class E>
  requires detail::any_operand<E>
auto sum(Result&& result, E&& value) {
  return detail::make_reduction<detail::sum_reduction>(std::forward<Result>(result), std::forward<E>(value));
}

/// The least value; of no elements infinity, or the type's greatest integer.
template <class Result, class E>
  requires detail::any_operand<E>
auto min_of(Result&& result, E const& value) {
  detail::check_ordered<E>();
  return detail::make_reduction<detail::min_reduction>(std::forward<Result>(result), value);
}

/// The greatest value; of no elements minus infinity, or the type's least integer.
template <class Result, class E>
  requires detail::any_operand<E>
auto max_of(Result&& result, E const& value) {
  detail::check_ordered<E>();
  return detail::make_reduction<detail::max_reduction>(std::forward<Result>(result), value);
}

/// The sum of conj(a) b, multiplied in what it accumulates in.
template <class Result, class A, class B>
  requires detail::any_operand<A, B>
auto dot(Result&& result, A const& a, B const& b) {
  detail::check_arithmetic<detail::sum_reduction, A, B>();
  using value = detail::strong_t<detail::common_t<detail::value_of<A>, detail::value_of<B>>>;
  using wide = typename detail::sum_accumulator<value>::type;
  return detail::make_reduction<detail::sum_as<value>>(std::forward<Result>(result),
                                                       detail::make_operation<detail::inner_product<wide>>(a, b));
}

/// The sum of |x|^2, multiplied in what it accumulates in.
template <class Result, class E>
  requires detail::any_operand<E>
auto norm2_squared(Result&& result, E const& x) {
  detail::check_arithmetic<detail::sum_reduction, E>();
  using value = typename detail::real_part<detail::strong_t<detail::value_of<E>>>::type;
  using wide = typename detail::sum_accumulator<value>::type;
  return detail::make_reduction<detail::sum_as<value>>(std::forward<Result>(result),
                                                       detail::make_operation<detail::square_of_modulus<wide>>(x));
}

/// For how many elements the condition holds.
template <class Result, class E>
  requires detail::any_operand<E>
auto count(Result&& result, E const& condition) {
  detail::check_condition<E>();
  return detail::make_reduction<detail::count_reduction>(std::forward<Result>(result), condition);
}

/// Whether the condition holds for an element; false of none.
template <class Result, class E>
  requires detail::any_operand<E>
auto any(Result&& result, E const& condition) {
  detail::check_condition<E>();
  return detail::make_reduction<detail::any_reduction>(std::forward<Result>(result), condition);
}

/// Whether the condition holds for every element; true of none.
template <class Result, class E>
  requires detail::any_operand<E>
auto all(Result&& result, E const& condition) {
  detail::check_condition<E>();
  return detail::make_reduction<detail::all_reduction>(std::forward<Result>(result), condition);
}

} // namespace onetrip
