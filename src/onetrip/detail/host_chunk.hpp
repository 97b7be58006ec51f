// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/chunk.hpp>

#include <cstddef>
#include <cstdint>

// A chunk on the host: some hundred elements, every array of which is seen as contiguous, so that compilers make vector
// code of the formula. What isn't is gathered into a buffer first, or scattered from one.

// The plan has shown that no iteration reads what another writes. (clang's like warns of each formula that it can't
// vectorize, and checks at run time without it.)
#if defined(__GNUC__) && !defined(__clang__)
#define ONETRIP_IVDEP _Pragma("GCC ivdep")
#else
#define ONETRIP_IVDEP
#endif

namespace onetrip::detail {

inline constexpr int host_chunk_size = 256;

/// Bytes of buffer that an expression can need for a chunk.
template <class Node>
consteval std::size_t buffer_bytes() {
  if constexpr (is_operation<Node>)
    return buffer_bytes<decltype(Node::arguments)>();
  else if constexpr (is_pack<Node>) {
    using first = std::remove_cvref_t<decltype(std::declval<Node const&>().first())>;
    if constexpr (Node::size == 1)
      return buffer_bytes<first>();
    else
      return buffer_bytes<first>() + buffer_bytes<std::remove_cvref_t<decltype(std::declval<Node const&>().rest())>>();
  } else if constexpr (requires { Node::twin; })
    return sizeof(typename Node::value_type) * host_chunk_size;
  else
    return 0;
}

template <int Outer>
struct host_loader : loader<Outer> {
  using loader<Outer>::operator();

  int count;
  std::byte* buffer;

  template <class T>
  KOKKOS_FUNCTION auto operator()(bound_view<T, Outer> const& x) {
    using value_type = std::remove_const_t<T>;
    T* const from = x.at(this->place);
    if (x.stride[Outer] == 1)
      return in_memory<value_type>{from};
    auto* const packed = reinterpret_cast<value_type*>(buffer);
    buffer += sizeof(value_type) * host_chunk_size;
    for (int j = 0; j < count; ++j)
      packed[j] = from[j * x.stride[Outer]];
    return in_memory<value_type>{packed};
  }
};

/// An expression's value at element `j` of a chunk.
template <bool Exact, class Loaded, class Earlier>
struct value_at {
  Loaded const& loaded;
  Earlier const& earlier;
  KOKKOS_FORCEINLINE_FUNCTION constexpr auto operator()(int j) const { return evaluate<Exact>(loaded, j, earlier); }
};

template <class T, class Value>
KOKKOS_FORCEINLINE_FUNCTION void evaluate_elements(T* to, int count, Value const& value) {
  ONETRIP_IVDEP
  for (int j = 0; j < count; ++j)
    to[j] = convert<T>(value(j));
}

template <class T, int Outer, class Value>
KOKKOS_FORCEINLINE_FUNCTION void store_elements(bound_view<T, Outer> const& to, chunk_place<Outer> const& place,
                                                int count, Value const& value) {
  T* const out = to.at(place);
  if (std::int64_t const stride = to.stride[Outer]; stride == 1) {
    evaluate_elements(out, count, value);
  } else {
    T packed[host_chunk_size];
    evaluate_elements(packed, count, value);
    for (int j = 0; j < count; ++j)
      out[j * stride] = packed[j];
  }
}

/// Joins values to one accumulator each reduction, by partial results side by side, as vector code needs them.
template <class Accumulated>
struct joined_in_vectors {
  Accumulated& accumulated;

  template <int R, class Reduction, class Accumulator, class Value>
  KOKKOS_FORCEINLINE_FUNCTION void add(int count, Value const& value) {
    constexpr int width = 8;
    Accumulator partial[width];
    for (int l = 0; l < width; ++l)
      partial[l] = Reduction::template identity<Accumulator>();
    int j = 0;
    for (; j + width <= count; j += width)
      for (int l = 0; l < width; ++l)
        partial[l] = Reduction::template join<Accumulator>(partial[l], convert<Accumulator>(value(j + l)));
    for (int l = 0; j < count; ++j, ++l)
      partial[l] = Reduction::template join<Accumulator>(partial[l], convert<Accumulator>(value(j)));
    for (int l = 0; l < width; ++l)
      get<R>(accumulated) = Reduction::template join<Accumulator>(get<R>(accumulated), partial[l]);
  }
};

} // namespace onetrip::detail
