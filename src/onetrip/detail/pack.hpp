// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

// A tuple for device code: std::tuple's members are host functions to nvcc.

namespace onetrip::detail {

template <class... T>
struct pack;

template <>
struct pack<> {
  static constexpr int size = 0;
};

template <class T>
struct pack<T> {
  static constexpr int size = 1;
  T first;
};

template <class T, class... Rest>
struct pack<T, Rest...> {
  static constexpr int size = 1 + static_cast<int>(sizeof...(Rest));
  T first;
  pack<Rest...> rest;
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
KOKKOS_FORCEINLINE_FUNCTION constexpr auto& get(pack<T...>& p) {
  if constexpr (I == 0)
    return p.first;
  else
    return get<I - 1>(p.rest);
}

template <int I, class... T>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto const& get(pack<T...> const& p) {
  if constexpr (I == 0)
    return p.first;
  else
    return get<I - 1>(p.rest);
}

/// The pack of these.
template <class First, class... Rest>
constexpr pack<std::remove_cvref_t<First>, std::remove_cvref_t<Rest>...> make_pack(First&& first, Rest&&... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return {std::forward<First>(first)};
  else
    return {std::forward<First>(first), make_pack(std::forward<Rest>(rest)...)};
}

/// The pack with one more member at its end.
template <class New>
KOKKOS_FORCEINLINE_FUNCTION constexpr pack<New> append(pack<> const&, New const& x) {
  return {x};
}
template <class New, class T>
KOKKOS_FORCEINLINE_FUNCTION constexpr pack<T, New> append(pack<T> const& p, New const& x) {
  return {p.first, {x}};
}
template <class New, class T, class U, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION constexpr pack<T, U, Rest..., New> append(pack<T, U, Rest...> const& p, New const& x) {
  return {p.first, append(p.rest, x)};
}

/// `f` of the members.
template <class F, class... T, class... Before>
decltype(auto) unpack(F const& f, pack<T...> const& p, Before const&... before) {
  if constexpr (sizeof...(T) == 0)
    return f(before...);
  else if constexpr (sizeof...(T) == 1)
    return f(before..., p.first);
  else
    return unpack(f, p.rest, before..., p.first);
}

} // namespace onetrip::detail
