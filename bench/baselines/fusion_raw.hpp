// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/chain.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

#ifdef KOKKOS_ENABLE_CUDA
#include "baselines/cuda_pack.hpp"
#endif

// The cases of fusion without Kokkos: CUDA kernels with a launch of their own on the stream of Kokkos' default
// instance, a loop elsewhere, over OpenMP's threads where Kokkos has them.

namespace baselines::raw {

/// Operations of the chain.
inline constexpr int chain_ops = 32;

#ifdef KOKKOS_ENABLE_CUDA

template <class T>
__device__ T scaled_sum_of(T a, T b, T c, T s) {
  return (a + b) * c / s;
}

template <class T>
__device__ T chain_of(T x) {
#pragma unroll
  for (int op = 0; op < chain_ops; ++op)
    x = fma(fusion::factor<T>, x, fusion::offset<T>);
  return x;
}

template <class T>
__global__ void scaled_sum_kernel(T const* __restrict__ a, T const* __restrict__ b, T const* __restrict__ c, T s,
                                  T* __restrict__ out, std::int64_t size) {
  using pack = baselines::pack<T>;
  std::int64_t const first = first_element<T>();
  if (first + pack::width <= size) {
    pack const x = load(a + first), y = load(b + first), z = load(c + first);
    pack result;
#pragma unroll
    for (int j = 0; j < pack::width; ++j)
      result.values[j] = scaled_sum_of(x.values[j], y.values[j], z.values[j], s);
    store(out + first, result);
  } else {
    for (std::int64_t i = first; i < size; ++i)
      out[i] = scaled_sum_of(a[i], b[i], c[i], s);
  }
}

template <class T>
__global__ void chain_kernel(T const* __restrict__ a, T* __restrict__ out, std::int64_t size) {
  using pack = baselines::pack<T>;
  std::int64_t const first = first_element<T>();
  if (first + pack::width <= size) {
    pack x = load(a + first);
#pragma unroll
    for (int j = 0; j < pack::width; ++j)
      x.values[j] = chain_of(x.values[j]);
    store(out + first, x);
  } else {
    for (std::int64_t i = first; i < size; ++i)
      out[i] = chain_of(a[i]);
  }
}

template <class T>
void scaled_sum(T const* a, T const* b, T const* c, T s, T* out, std::int64_t size) {
  scaled_sum_kernel<<<blocks_for<T>(size), block_size, 0, Kokkos::Cuda().cuda_stream()>>>(a, b, c, s, out, size);
}

template <class T>
void chain(T const* a, T* out, std::int64_t size) {
  chain_kernel<<<blocks_for<T>(size), block_size, 0, Kokkos::Cuda().cuda_stream()>>>(a, out, size);
}

#else

template <class T>
void scaled_sum(T const* __restrict__ a, T const* __restrict__ b, T const* __restrict__ c, T s, T* __restrict__ out,
                std::int64_t size) {
#ifdef KOKKOS_ENABLE_OPENMP
#pragma omp parallel for simd schedule(static)
#endif
  for (std::int64_t i = 0; i < size; ++i)
    out[i] = (a[i] + b[i]) * c[i] / s;
}

template <class T>
void chain(T const* __restrict__ a, T* __restrict__ out, std::int64_t size) {
#ifdef KOKKOS_ENABLE_OPENMP
#pragma omp parallel for simd schedule(static)
#endif
  for (std::int64_t i = 0; i < size; ++i)
    out[i] = fusion::fused::affine<chain_ops>(a[i]);
}

#endif

} // namespace baselines::raw
