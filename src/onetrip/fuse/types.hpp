// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace onetrip {

namespace detail {

// Which type an expression has. Views of different types meet in their common type, as C++ has it; a host scalar is
// weak and takes the Views' type, as in NumPy 2, where that is of the same or a higher kind.

template <class T>
inline constexpr bool is_half =
    std::is_same_v<T, Kokkos::Experimental::half_t> || std::is_same_v<T, Kokkos::Experimental::bhalf_t>;
// half types are float where the backend has none
template <>
inline constexpr bool is_half<float> = false;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<Kokkos::complex<T>> = true;

template <class T>
inline constexpr bool is_floating = std::is_floating_point_v<T> || is_half<T>;

template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

} // namespace detail

/// A type that expressions compute with: arithmetic, half or `Kokkos::complex`.
template <class T>
concept number = std::is_arithmetic_v<T> || detail::is_half<T> || detail::is_complex<T>;

namespace detail {

/// The type of a host scalar in an expression.
template <class T>
struct weak {
  using type = T;
};

template <class T>
inline constexpr bool is_weak = false;
template <class T>
inline constexpr bool is_weak<weak<T>> = true;

template <class T>
struct strong {
  using type = T;
};
template <class T>
struct strong<weak<T>> {
  using type = T;
};
/// A type without its weakness.
template <class T>
using strong_t = typename strong<T>::type;

/// What is computed in: float for half types.
template <class T>
using compute_t = std::conditional_t<is_half<strong_t<T>>, float, strong_t<T>>;

/// bool < integer < floating < complex
template <class T>
inline constexpr int kind_of = is_complex<T>    ? 3
                               : is_floating<T> ? 2
                               : is_integer<T>  ? 1
                                                : 0;

template <class A, class B>
struct common;

template <class A>
struct common<A, A> {
  using type = A;
};
template <class A, class B>
  requires(std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !std::is_same_v<A, B>)
struct common<A, B> {
  using type = std::common_type_t<A, B>;
};
template <class A, class B>
  requires(!std::is_same_v<A, B> && is_half<A> && !is_complex<B>)
struct common<A, B> { // two kinds of half meet in float
  using type = std::conditional_t < kind_of<B><kind_of<A>, A, std::conditional_t<is_half<B>, float, B>>;
};
template <class A, class B>
  requires(!is_half<A> && is_half<B> && !is_complex<A>)
struct common<A, B> : common<B, A> {};
template <class T>
struct real_part {
  using type = T;
};
template <class T>
struct real_part<Kokkos::complex<T>> {
  using type = T;
};
template <class A, class B>
  requires(!std::is_same_v<A, B> && (is_complex<A> || is_complex<B>))
struct common<A, B> {
  using type = Kokkos::complex<typename common<typename real_part<A>::type, typename real_part<B>::type>::type>;
};
template <class A, class B>
struct common<weak<A>, weak<B>> {
  using type = weak<typename common<A, B>::type>;
};
template <class A>
struct common<weak<A>, weak<A>> {
  using type = weak<A>;
};
/// A scalar of a higher kind than the Views.
template <class A, class B>
struct common_of_higher : common<A, B> {};
template <class T, class B>
  requires(std::is_floating_point_v<B>)
struct common_of_higher<Kokkos::complex<T>, B> {
  using type = Kokkos::complex<B>;
};
template <class A, class B>
struct common<weak<A>, B>
    : std::conditional_t<kind_of<A> <= kind_of<B>, std::type_identity<B>, common_of_higher<A, B>> {};
template <class A, class B>
struct common<A, weak<B>> : common<weak<B>, A> {};

template <class A, class... B>
struct common_of {
  using type = A;
};
template <class A, class B, class... C>
struct common_of<A, B, C...> : common_of<typename common<A, B>::type, C...> {};

/// The type in which these meet.
template <class... T>
using common_t = typename common_of<T...>::type;

/// Whether every value of `From` can be stored as a `To` without a cast that is written: the same or a higher kind, and
/// no narrower.
template <class From, class To>
consteval bool stores_without_cast() {
  if constexpr (is_weak<From>)
    return kind_of<strong_t<From>> <= kind_of<To>;
  else if constexpr (std::is_same_v<From, To> || std::is_same_v<From, bool>)
    return true;
  else if constexpr (std::is_same_v<To, bool> || kind_of<From> > kind_of<To>)
    return false;
  else if constexpr (is_complex<To>)
    return stores_without_cast<typename real_part<From>::type, typename real_part<To>::type>();
  else if constexpr (kind_of<From> < kind_of<To>)
    return true; // an integer as a floating-point number: C++'s own rule
  else if constexpr (is_integer<To>)
    return (std::is_signed_v<To> || std::is_unsigned_v<From>) &&
           std::numeric_limits<From>::digits <= std::numeric_limits<To>::digits;
  else
    return std::is_same_v<common_t<From, To>, To>;
}

/// `value` as a `To`, through float to and from half types.
template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION constexpr To convert(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (is_complex<To> && is_complex<From>)
    return To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
  else if constexpr (is_complex<To>)
    return To(static_cast<typename To::value_type>(value));
  else
    return static_cast<To>(value);
}

} // namespace detail

} // namespace onetrip
