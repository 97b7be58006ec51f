// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/exact.hpp>
#include <onetrip/fuse/expression.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

// How a kernel sees an expression: its Views bound to pointers and strides, then the values of a chunk of elements, and
// from those the expression's value at one of them.

namespace onetrip::detail {

/// Where a chunk lies: an index in each outer loop, and the first one of the innermost.
template <int Outer>
struct chunk_place {
  std::int64_t outer[Outer];
  std::int64_t first;
};
template <>
struct chunk_place<0> {
  std::int64_t first;
};

/// A View in a kernel: strides in elements, the innermost loop's last.
template <class T, int Outer>
struct bound_view {
  using value_type = std::remove_const_t<T>;
  T* data;
  std::int64_t stride[Outer + 1];
  std::int32_t twin; ///< the earlier statement of the group that writes the same elements; -1: none
  bool wide;         ///< a device reads and writes whole chunks of it at once

  /// The element at the first place of the chunk.
  KOKKOS_FORCEINLINE_FUNCTION T* at(chunk_place<Outer> const& place) const {
    std::int64_t offset = place.first * stride[Outer];
    if constexpr (Outer > 0)
      for (int k = 0; k < Outer; ++k)
        offset += place.outer[k] * stride[k];
    return data + offset;
  }
};

/// A View of rank 0 in a kernel.
template <class T>
struct bound_scalar {
  using value_type = T;
  T const* data;
};

/// `index<D>()` in a kernel.
struct bound_index {
  using value_type = std::int64_t;
  std::int32_t loop; ///< -1: always 0
};

// What an expression's leaves are while a chunk is computed; constants and functions stay what they are.

/// The values of a chunk, in registers.
template <class T, int Lanes>
struct lanes {
  using value_type = T;
  T value[Lanes];
  std::int32_t twin;
};

/// The values of a chunk, in memory.
template <class T>
struct in_memory {
  using value_type = T;
  T const* value;
};

/// One value for the whole chunk.
template <class T>
struct same_value {
  using value_type = T;
  T value;
};

struct counting {
  using value_type = std::int64_t;
  std::int64_t first;
  std::int64_t step;
};

/// What statement `K` of the group has computed, for this one and others.
template <int K, class T>
struct computed {
  using value_type = T;
};
template <class T>
inline constexpr bool is_computed = false;
template <int K, class T>
inline constexpr bool is_computed<computed<K, T>> = true;
template <int K, class T>
inline constexpr bool is_expression<computed<K, T>> = true;

/// Values of a chunk that are stored nowhere.
template <class T, int Count>
struct kept {
  using value_type = T;
  T value[Count];
};

template <class T>
inline constexpr bool is_lanes = false;
template <class T, int Lanes>
inline constexpr bool is_lanes<lanes<T, Lanes>> = true;

/// Element `j` of the chunk; where an earlier statement has written it, the new value, from its register.
template <int K = 0, class T, int Lanes, class Earlier>
KOKKOS_FORCEINLINE_FUNCTION T newest(lanes<T, Lanes> const& x, int j, Earlier const& earlier) {
  if constexpr (K == Earlier::size) {
    return x.value[j];
  } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(get<K>(earlier))>, lanes<T, Lanes>>) {
    T const later = newest<K + 1>(x, j, earlier);
    return x.twin == K ? get<K>(earlier).value[j] : later;
  } else {
    return newest<K + 1>(x, j, earlier);
  }
}

template <bool Exact, class Node, class Earlier>
KOKKOS_FORCEINLINE_FUNCTION constexpr decltype(auto) evaluate(Node const& x, int j, Earlier const& earlier);

template <bool Exact, class Operation, class... A, class Earlier, int... K>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto evaluate_operation(operation<Operation, A...> const& x, int j,
                                                              Earlier const& earlier,
                                                              std::integer_sequence<int, K...>) {
  using value_type = typename operation<Operation, A...>::value_type;
  using in = compute_t<value_type>;
  if constexpr (!Exact)
    return Operation::template call<in>(evaluate<Exact>(get<K>(x.arguments), j, earlier)...);
  else if constexpr (is_half<strong_t<value_type>>)
    return convert<in>(convert<strong_t<value_type>>(
        exact<Operation>::template call<in>(evaluate<Exact>(get<K>(x.arguments), j, earlier)...)));
  else
    return exact<Operation>::template call<in>(evaluate<Exact>(get<K>(x.arguments), j, earlier)...);
}

template <int K, class T, class Earlier>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto value_of_earlier(computed<K, T> const&, int j, Earlier const& earlier) {
  return get<K>(earlier).value[j];
}

/// The value of an expression at element `j` of the chunk that its leaves hold; each operation rounded on its own where
/// `Exact`. `earlier`: what earlier statements of the group have made of the chunk.
template <bool Exact, class Node, class Earlier>
KOKKOS_FORCEINLINE_FUNCTION constexpr decltype(auto) evaluate(Node const& x, int j, Earlier const& earlier) {
  if constexpr (is_operation<Node>)
    return evaluate_operation<Exact>(x, j, earlier, std::make_integer_sequence<int, decltype(x.arguments)::size>{});
  else if constexpr (is_computed<Node>)
    return value_of_earlier(x, j, earlier);
  else if constexpr (is_lanes<Node>)
    return convert<compute_t<typename Node::value_type>>(newest(x, j, earlier));
  else if constexpr (requires { Node::known; })
    return Node::known;
  else if constexpr (requires { x.call; })
    return (x.call);
  else if constexpr (requires { x.step; })
    return x.first + j * x.step;
  else if constexpr (requires { x.value[j]; })
    return convert<compute_t<typename Node::value_type>>(x.value[j]);
  else
    return convert<compute_t<typename Node::value_type>>(x.value);
}

/// Loads what every leaf of an expression has in the chunk.
template <int Outer>
struct loader {
  chunk_place<Outer> place;

  KOKKOS_FORCEINLINE_FUNCTION counting operator()(bound_index const& x) const {
    if (x.loop < 0)
      return {0, 0};
    if constexpr (Outer > 0)
      for (int k = 0; k < Outer; ++k)
        if (x.loop == k)
          return {place.outer[k], 0};
    return {place.first, 1};
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION same_value<T> operator()(bound_scalar<T> const& x) const {
    return {*x.data};
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION constant<T> operator()(constant<T> const& x) const {
    return x;
  }
  template <auto Value>
  KOKKOS_FORCEINLINE_FUNCTION known_constant<Value> operator()(known_constant<Value> const& x) const {
    return x;
  }
  template <int K, class T>
  KOKKOS_FORCEINLINE_FUNCTION computed<K, T> operator()(computed<K, T> const& x) const {
    return x;
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION function<F> operator()(function<F> const& x) const {
    return x;
  }
};

} // namespace onetrip::detail
