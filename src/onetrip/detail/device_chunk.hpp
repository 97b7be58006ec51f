// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/chunk.hpp>

#include <cstdint>

// A chunk on a device: a few neighbouring elements in a thread's registers, loaded and stored 16 bytes at a time where
// they lie so. A thread may take several chunks, far from each other, so that more loads are under way at once.

namespace onetrip::detail {

/// Bytes at whose multiples a chunk begins that is loaded and stored at once.
constexpr std::int64_t chunk_alignment(std::int64_t element, int lanes) {
  return element * lanes < 16 ? element * lanes : 16;
}

template <class T, int Lanes>
struct alignas(chunk_alignment(sizeof(T), Lanes)) wide_values {
  T value[Lanes];
};

template <int Outer, int Lanes, int Chunks>
struct device_loader : loader<Outer> {
  using loader<Outer>::operator();
  chunk_place<Outer> const* places;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(bound_view<T, Outer> const& x) const {
    using value_type = std::remove_const_t<T>;
    lanes<value_type, Lanes * Chunks> loaded;
    loaded.twin = x.twin;
    for (int u = 0; u < Chunks; ++u) {
      T* const from = x.at(places[u]);
      if (Lanes > 1 && x.wide) {
        auto const values = *reinterpret_cast<wide_values<value_type, Lanes> const*>(from);
        for (int j = 0; j < Lanes; ++j)
          loaded.value[u * Lanes + j] = values.value[j];
      } else {
        for (int j = 0; j < Lanes; ++j)
          loaded.value[u * Lanes + j] = from[j * x.stride[Outer]];
      }
    }
    return loaded;
  }
};

template <int Lanes, int Chunks, class T, int Outer>
KOKKOS_FORCEINLINE_FUNCTION void store(bound_view<T, Outer> const& to, chunk_place<Outer> const* places,
                                       lanes<T, Lanes * Chunks> const& from) {
  for (int u = 0; u < Chunks; ++u) {
    T* const first = to.at(places[u]);
    if (Lanes > 1 && to.wide) {
      wide_values<T, Lanes> values;
      for (int j = 0; j < Lanes; ++j)
        values.value[j] = from.value[u * Lanes + j];
      *reinterpret_cast<wide_values<T, Lanes>*>(first) = values;
    } else {
      for (int j = 0; j < Lanes; ++j)
        first[j * to.stride[Outer]] = from.value[u * Lanes + j];
    }
  }
}

} // namespace onetrip::detail
