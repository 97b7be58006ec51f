// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace baselines {

/// Elements that a thread loads and stores at once: 16 bytes are the widest access, and Kokkos aligns its arrays to
/// more.
template <class T>
struct alignas(16) pack {
  static constexpr int width = 16 / sizeof(T);
  T values[width];
};

/// Threads of a block, in every kernel here.
inline constexpr int block_size = 256;

/// Blocks for a thread per pack of an array.
template <class T>
unsigned blocks_for(std::int64_t size) {
  constexpr std::int64_t in_a_block = std::int64_t{block_size} * pack<T>::width;
  return static_cast<unsigned>((size + in_a_block - 1) / in_a_block);
}

/// The index of the first element of this thread's pack.
template <class T>
__device__ std::int64_t first_element() {
  return (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * pack<T>::width;
}

template <class T>
__device__ pack<T> load(T const* from) {
  return *reinterpret_cast<pack<T> const*>(from);
}

template <class T>
__device__ void store(T* to, pack<T> const& values) {
  *reinterpret_cast<pack<T>*>(to) = values;
}

} // namespace baselines
