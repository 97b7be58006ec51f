// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/chunk.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace onetrip::detail {

/// The loops of a kernel and how they are cut into chunks: the innermost one into `chunks` a row.
template <int Outer>
struct chunk_grid {
  std::int64_t extent[Outer + 1]; ///< the innermost loop's last
  std::int64_t chunks;
  std::int64_t total; ///< chunks of all rows
  std::int64_t items; ///< work items: item i takes the chunks i, i + items, i + 2 items ...
  std::int64_t shift; ///< the first chunk begins this many elements before the row, so that the others begin aligned

  /// Cuts rows into chunks of `size` elements.
  void cut(int size) {
    chunks = (extent[Outer] + shift + size - 1) / size;
    total = chunks;
    for (int k = 0; k < Outer; ++k)
      total *= extent[k];
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t row() const { return extent[Outer]; }

  /// Where chunk `index` lies, if its rows have `size` elements a chunk.
  KOKKOS_FORCEINLINE_FUNCTION chunk_place<Outer> place(std::int64_t index, int size) const {
    chunk_place<Outer> at;
    if constexpr (Outer == 0) {
      at.first = index * size - shift;
    } else {
      std::int64_t rest = divide(index, chunks);
      at.first = (index - rest * chunks) * size - shift;
      for (int k = Outer - 1; k > 0; --k) {
        std::int64_t const next = divide(rest, extent[k]);
        at.outer[k] = rest - next * extent[k];
        rest = next;
      }
      at.outer[0] = rest;
    }
    return at;
  }

private:
  /// Of numbers that are not negative; in 32 bits where they fit, which is several times faster on a GPU.
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t divide(std::int64_t a, std::int64_t b) {
    if (((a | b) >> 32) == 0)
      return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    return a / b;
  }
};

} // namespace onetrip::detail
