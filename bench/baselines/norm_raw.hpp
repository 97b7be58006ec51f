// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

#ifdef KOKKOS_ENABLE_CUDA
#include "baselines/cuda_pack.hpp"

#include <algorithm>
#endif

// The case norm of fusion without Kokkos.

namespace baselines::raw {

#ifdef KOKKOS_ENABLE_CUDA

inline constexpr int norm_blocks_at_a_time = 4; ///< of a multiprocessor: leaves a thread registers for its loads

/// What the kernel works with: a sum of each block, and how many blocks have theirs.
struct norm_scratch {
  /// `size` 0: none.
  explicit norm_scratch(std::int64_t size) {
    if (size > 0) {
      sums = Kokkos::View<double*>("bench::norm::sums", blocks());
      done = Kokkos::View<unsigned>("bench::norm::done");
    }
  }

  static unsigned blocks() {
    return static_cast<unsigned>(Kokkos::Cuda().cuda_device_prop().multiProcessorCount * norm_blocks_at_a_time);
  }

  Kokkos::View<double*> sums;
  Kokkos::View<unsigned> done;
};

/// The sum over a block, in its first thread.
__device__ inline double sum_of_block(double sum) {
  constexpr int warp = 32;
  constexpr unsigned all = 0xffffffff;
  __shared__ double of_warps[block_size / warp];
  for (int distance = warp / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(all, sum, distance);
  __syncthreads();
  if (threadIdx.x % warp == 0)
    of_warps[threadIdx.x / warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int w = 1; w < block_size / warp; ++w)
      sum += of_warps[w];
  return sum;
}

template <class T>
__device__ double norm_of(T a, T b) {
  auto const mean = static_cast<double>((a + b) / 2);
  return mean * mean;
}

/// Each thread takes packs a grid apart, four at a time so that their loads are under way together. The last block to
/// be done adds up the blocks' sums.
template <class T>
__global__ void __launch_bounds__(block_size, norm_blocks_at_a_time)
    norm_kernel(T const* __restrict__ a, T const* __restrict__ b, std::int64_t size, double* sums, unsigned* done,
                double* result) {
  using pack = baselines::pack<T>;
  constexpr int batch = 4;
  std::int64_t const packs = size / pack::width;
  std::int64_t const thread = static_cast<std::int64_t>(blockIdx.x) * block_size + threadIdx.x;
  std::int64_t const threads = static_cast<std::int64_t>(gridDim.x) * block_size;
  double sum = 0;
  std::int64_t p = thread;
  for (; p + (batch - 1) * threads < packs; p += batch * threads) {
    pack x[batch], y[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      x[k] = load(a + (p + k * threads) * pack::width);
      y[k] = load(b + (p + k * threads) * pack::width);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k)
#pragma unroll
      for (int j = 0; j < pack::width; ++j)
        sum += norm_of(x[k].values[j], y[k].values[j]);
  }
  for (; p < packs; p += threads) {
    pack const x = load(a + p * pack::width), y = load(b + p * pack::width);
#pragma unroll
    for (int j = 0; j < pack::width; ++j)
      sum += norm_of(x.values[j], y.values[j]);
  }
  for (std::int64_t i = packs * pack::width + thread; i < size; i += threads)
    sum += norm_of(a[i], b[i]);

  sum = sum_of_block(sum);
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1; // and 0 again for the next run
  }
  __syncthreads();
  if (is_last) {
    __threadfence();
    sum = 0;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += block_size)
      sum += sums[block];
    sum = sum_of_block(sum);
    if (threadIdx.x == 0)
      *result = sum;
  }
}

template <class T>
void norm(T const* a, T const* b, std::int64_t size, norm_scratch const& scratch, double* result) {
  unsigned const blocks = std::min(blocks_for<T>(size), static_cast<unsigned>(scratch.sums.size()));
  norm_kernel<<<blocks, block_size, 0, Kokkos::Cuda().cuda_stream()>>>(a, b, size, scratch.sums.data(),
                                                                       scratch.done.data(), result);
}

#else

struct norm_scratch {
  explicit norm_scratch(std::int64_t) {}
};

template <class T>
void norm(T const* __restrict__ a, T const* __restrict__ b, std::int64_t size, norm_scratch const&, double* result) {
  double sum = 0;
#ifdef KOKKOS_ENABLE_OPENMP
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
#endif
  for (std::int64_t i = 0; i < size; ++i) {
    auto const mean = static_cast<double>((a[i] + b[i]) / 2);
    sum += mean * mean;
  }
  *result = sum;
}

#endif

} // namespace baselines::raw
