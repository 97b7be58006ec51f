// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#ifdef KOKKOS_ENABLE_CUDA
#include "baselines/cuda_pack.hpp"
#include "support/cuda_check.hpp"
#endif

// heat1d with fixed ends without Kokkos: CUDA kernels with a launch of their own on the stream of Kokkos' default
// instance, a loop elsewhere, over OpenMP's threads where Kokkos has them.

namespace baselines::raw {

#ifdef KOKKOS_ENABLE_CUDA

/// A thread has 16 bytes of cells; the neighbours outside come from the warp's other threads.
template <class T>
__global__ void step_kernel(T const* __restrict__ u, T* __restrict__ v, T r, std::int64_t cells) {
  using pack = baselines::pack<T>;
  constexpr int width = pack::width;
  std::int64_t const first = first_element<T>();
  bool const whole = first + width <= cells;
  pack x{};
  if (whole) {
    x = load(u + first);
  } else {
#pragma unroll
    for (int j = 0; j < width; ++j)
      if (first + j < cells)
        x.values[j] = u[first + j];
  }
  constexpr unsigned all_lanes = 0xffffffff;
  int const lane = static_cast<int>(threadIdx.x % 32);
  T before = __shfl_up_sync(all_lanes, x.values[width - 1], 1);
  T after = __shfl_down_sync(all_lanes, x.values[0], 1);
  if (lane == 0 && first > 0 && first < cells)
    before = u[first - 1];
  if (lane == 31 && first + width < cells)
    after = u[first + width];

  pack y;
#pragma unroll
  for (int j = 0; j < width; ++j) {
    T const left = j == 0 ? before : x.values[j == 0 ? 0 : j - 1];
    T const right = j == width - 1 ? after : x.values[j == width - 1 ? j : j + 1];
    bool const inside = first + j > 0 && first + j < cells - 1;
    y.values[j] = inside ? fma(r, fma(T(-2), x.values[j], left + right), x.values[j]) : x.values[j];
  }
  if (whole) {
    store(v + first, y);
  } else {
#pragma unroll
    for (int j = 0; j < width; ++j)
      if (first + j < cells)
        v[first + j] = y.values[j];
  }
}

template <class T>
void step(T const* u, T* v, T r, std::int64_t cells) {
  step_kernel<<<blocks_for<T>(cells), block_size, 0, Kokkos::Cuda().cuda_stream()>>>(u, v, r, cells);
}

inline void copy(void* to, void const* from, std::size_t bytes) {
  cudaStream_t const stream = Kokkos::Cuda().cuda_stream();
  bench::cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
  bench::cuda_check(cudaStreamSynchronize(stream));
}

#else

template <class T>
void step(T const* __restrict__ u, T* __restrict__ v, T r, std::int64_t cells) {
  v[0] = u[0];
  v[cells - 1] = u[cells - 1];
#ifdef KOKKOS_ENABLE_OPENMP
#pragma omp parallel for simd schedule(static)
#endif
  for (std::int64_t i = 1; i < cells - 1; ++i)
    v[i] = std::fma(r, std::fma(T(-2), u[i], u[i - 1] + u[i + 1]), u[i]);
}

inline void copy(void* to, void const* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

/// Arrays of their own for all threads, small enough for the first cache: that many steps of each, u after u.
template <class T>
void steps_in_cache(T* u, T* v, std::int64_t count, T r, std::int64_t cells, int arrays) {
#ifdef KOKKOS_ENABLE_OPENMP
#pragma omp parallel for schedule(static, 1)
#endif
  for (int a = 0; a < arrays; ++a) {
    T* from = u + a * cells;
    T* to = v + a * cells;
    for (std::int64_t s = 0; s < count; ++s) {
      to[0] = from[0];
      to[cells - 1] = from[cells - 1];
#ifndef __clang__
#pragma GCC ivdep
#endif
      for (std::int64_t i = 1; i < cells - 1; ++i)
        to[i] = std::fma(r, std::fma(T(-2), from[i], from[i - 1] + from[i + 1]), from[i]);
      std::swap(from, to);
    }
  }
}

#endif

/// That many steps from u, an even number, so that u has the answer; v is scratch.
template <class T>
void steps(T* u, T* v, std::int64_t count, T r, std::int64_t cells) {
  for (std::int64_t s = 0; s < count; ++s) {
    step(u, v, r, cells);
    std::swap(u, v);
  }
}

} // namespace baselines::raw
