// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/adamw_arrays.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

#ifdef KOKKOS_ENABLE_CUDA
#include "baselines/cuda_pack.hpp"
#endif

// The case adamw of fusion without Kokkos.

namespace baselines::raw {

#ifdef KOKKOS_ENABLE_CUDA

template <class T>
__global__ void adamw_kernel(fusion::adamw_numbers<T> c, T const* __restrict__ gradient, T* __restrict__ m,
                             T* __restrict__ v, T* __restrict__ parameter, std::int64_t size) {
  using pack = baselines::pack<T>;
  std::int64_t const first = first_element<T>();
  if (first + pack::width <= size) {
    pack const g = load(gradient + first);
    pack x = load(m + first), y = load(v + first), z = load(parameter + first);
#pragma unroll
    for (int j = 0; j < pack::width; ++j) {
      auto const after = fusion::adamw_step<T>(c, g.values[j], {x.values[j], y.values[j], z.values[j]});
      x.values[j] = after.m;
      y.values[j] = after.v;
      z.values[j] = after.parameter;
    }
    store(m + first, x);
    store(v + first, y);
    store(parameter + first, z);
  } else {
    for (std::int64_t i = first; i < size; ++i) {
      auto const after = fusion::adamw_step<T>(c, gradient[i], {m[i], v[i], parameter[i]});
      m[i] = after.m;
      v[i] = after.v;
      parameter[i] = after.parameter;
    }
  }
}

template <class T>
void adamw(fusion::adamw_numbers<T> const& c, T const* gradient, T* m, T* v, T* parameter, std::int64_t size) {
  adamw_kernel<<<blocks_for<T>(size), block_size, 0, Kokkos::Cuda().cuda_stream()>>>(c, gradient, m, v, parameter,
                                                                                     size);
}

#else

template <class T>
void adamw(fusion::adamw_numbers<T> const& c, T const* __restrict__ gradient, T* __restrict__ m, T* __restrict__ v,
           T* __restrict__ parameter, std::int64_t size) {
#ifdef KOKKOS_ENABLE_OPENMP
#pragma omp parallel for simd schedule(static)
#endif
  for (std::int64_t i = 0; i < size; ++i) {
    auto const after = fusion::adamw_step<T>(c, gradient[i], {m[i], v[i], parameter[i]});
    m[i] = after.m;
    v[i] = after.v;
    parameter[i] = after.parameter;
  }
}

#endif

} // namespace baselines::raw
