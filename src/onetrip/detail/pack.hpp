// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

// A tuple for device code: std::tuple's members are host functions to nvcc. Empty members take no space: an expression
// moves with every operation that is put on it, and to the device as a kernel's arguments.

namespace onetrip::detail {

template <class... T>
struct pack;

template <>
struct pack<> {
  static constexpr int size = 0;
};

template <class T, class... Rest>
  requires(!std::is_empty_v<T> && !std::is_empty_v<pack<Rest...>>)
struct pack<T, Rest...> {
  static constexpr int size = 1 + static_cast<int>(sizeof...(Rest));
  T m_first;
  pack<Rest...> m_rest;
  KOKKOS_FORCEINLINE_FUNCTION constexpr T& first() { return m_first; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr T const& first() const { return m_first; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr pack<Rest...>& rest() { return m_rest; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr pack<Rest...> const& rest() const { return m_rest; }
};

template <class T, class... Rest>
  requires(!std::is_empty_v<T> && std::is_empty_v<pack<Rest...>>)
struct pack<T, Rest...> {
  static constexpr int size = 1 + static_cast<int>(sizeof...(Rest));
  T m_first;
  KOKKOS_FORCEINLINE_FUNCTION constexpr T& first() { return m_first; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr T const& first() const { return m_first; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr pack<Rest...> rest() const { return {}; }
};

template <class T, class... Rest>
  requires(std::is_empty_v<T> && !std::is_empty_v<pack<Rest...>>)
struct pack<T, Rest...> {
  static constexpr int size = 1 + static_cast<int>(sizeof...(Rest));
  pack<Rest...> m_rest;
  KOKKOS_FORCEINLINE_FUNCTION constexpr T first() const { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr pack<Rest...>& rest() { return m_rest; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr pack<Rest...> const& rest() const { return m_rest; }
};

template <class T, class... Rest>
  requires(std::is_empty_v<T> && std::is_empty_v<pack<Rest...>>)
struct pack<T, Rest...> {
  static constexpr int size = 1 + static_cast<int>(sizeof...(Rest));
  KOKKOS_FORCEINLINE_FUNCTION constexpr T first() const { return {}; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr pack<Rest...> rest() const { return {}; }
};

template <class T>
inline constexpr bool is_pack = false;
template <class... T>
inline constexpr bool is_pack<pack<T...>> = true;

template <class T, class Pack>
struct prepend;
template <class T, class... Rest>
struct prepend<T, pack<Rest...>> {
  using type = pack<T, Rest...>;
};
template <class T, class Pack>
using prepend_t = typename prepend<T, Pack>::type;

template <int I, class... T>
KOKKOS_FORCEINLINE_FUNCTION constexpr decltype(auto) get(pack<T...>& p) {
  if constexpr (I == 0)
    return p.first();
  else
    return get<I - 1>(p.rest());
}

template <int I, class... T>
KOKKOS_FORCEINLINE_FUNCTION constexpr decltype(auto) get(pack<T...> const& p) {
  if constexpr (I == 0)
    return p.first();
  else
    return get<I - 1>(p.rest());
}

/// The pack of these.
template <class First, class... Rest>
constexpr pack<std::remove_cvref_t<First>, std::remove_cvref_t<Rest>...> make_pack(First&& first, Rest&&... rest) {
  using first_type = std::remove_cvref_t<First>;
  using rest_type = pack<std::remove_cvref_t<Rest>...>;
  if constexpr (std::is_empty_v<first_type> && std::is_empty_v<rest_type>)
    return {};
  else if constexpr (std::is_empty_v<first_type>)
    return {make_pack(std::forward<Rest>(rest)...)};
  else if constexpr (std::is_empty_v<rest_type>)
    return {std::forward<First>(first)};
  else
    return {std::forward<First>(first), make_pack(std::forward<Rest>(rest)...)};
}

/// The pack with one more member at its end.
template <class New, class... T>
KOKKOS_FORCEINLINE_FUNCTION constexpr pack<T..., New> append(pack<T...> const& p, New const& x) {
  if constexpr (sizeof...(T) == 0) {
    if constexpr (std::is_empty_v<New>)
      return {};
    else
      return {x};
  } else {
    using rest_type = decltype(append(p.rest(), x));
    using first_type = std::remove_cvref_t<decltype(p.first())>;
    if constexpr (std::is_empty_v<first_type> && std::is_empty_v<rest_type>)
      return {};
    else if constexpr (std::is_empty_v<first_type>)
      return {append(p.rest(), x)};
    else if constexpr (std::is_empty_v<rest_type>)
      return {p.first()};
    else
      return {p.first(), append(p.rest(), x)};
  }
}

/// `f` of the members.
template <class F, class... T, class... Before>
decltype(auto) unpack(F const& f, pack<T...> const& p, Before const&... before) {
  if constexpr (sizeof...(T) == 0)
    return f(before...);
  else if constexpr (sizeof...(T) == 1)
    return f(before..., p.first());
  else
    return unpack(f, p.rest(), before..., p.first());
}

} // namespace onetrip::detail
