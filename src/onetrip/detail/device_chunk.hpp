// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/chunk.hpp>

#include <cstdint>

// A chunk on a device: a few neighbouring elements in a thread's registers, loaded and stored 16 bytes at a time where
// they lie so.

namespace onetrip::detail {

template <class T, int Lanes>
inline constexpr int wide_alignment = sizeof(T) * Lanes < 16 ? sizeof(T) * Lanes : 16;

template <class T, int Lanes>
struct alignas(wide_alignment<T, Lanes>) wide_values {
  T value[Lanes];
};

template <int Outer, int Lanes>
struct device_loader : loader<Outer> {
  using loader<Outer>::operator();

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION lanes<std::remove_const_t<T>, Lanes> operator()(bound_view<T, Outer> const& x) const {
    using value_type = std::remove_const_t<T>;
    lanes<value_type, Lanes> loaded;
    loaded.twin = x.twin;
    T* const from = x.at(this->place);
    if constexpr (Lanes > 1) {
      if (x.wide) {
        auto const values = *reinterpret_cast<wide_values<value_type, Lanes> const*>(from);
        for (int j = 0; j < Lanes; ++j)
          loaded.value[j] = values.value[j];
        return loaded;
      }
    }
    for (int j = 0; j < Lanes; ++j)
      loaded.value[j] = from[j * x.stride[Outer]];
    return loaded;
  }
};

template <class T, int Outer, int Lanes>
KOKKOS_FORCEINLINE_FUNCTION void store(bound_view<T, Outer> const& to, chunk_place<Outer> const& place,
                                       lanes<T, Lanes> const& from) {
  T* const first = to.at(place);
  if constexpr (Lanes > 1) {
    if (to.wide) {
      wide_values<T, Lanes> values;
      for (int j = 0; j < Lanes; ++j)
        values.value[j] = from.value[j];
      *reinterpret_cast<wide_values<T, Lanes>*>(first) = values;
      return;
    }
  }
  for (int j = 0; j < Lanes; ++j)
    first[j * to.stride[Outer]] = from.value[j];
}

} // namespace onetrip::detail
