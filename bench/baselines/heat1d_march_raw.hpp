// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA

#include "support/cuda_check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

// heat1d with fixed ends, several steps a pass, in CUDA alone and for this equation alone: the kernel that onetrip's
// marcher is measured against. The passes are a CUDA graph, so that no launch has to be waited for.

namespace baselines::raw {

/// A warp has 32 * InLane cells in its registers, `depth` of which at either side are halo.
template <class T, int InLane, int Warps>
__global__ void __launch_bounds__(32 * Warps)
    march_kernel(T const* __restrict__ u, T* __restrict__ v, T r, std::int64_t cells, int depth) {
  constexpr unsigned all_lanes = 0xffffffff;
  __shared__ T shared[Warps][32 * (InLane + 1)];
  int const lane = static_cast<int>(threadIdx.x % 32);
  T* const own = shared[threadIdx.x / 32];
  std::int64_t const warp = static_cast<std::int64_t>(blockIdx.x) * Warps + threadIdx.x / 32;
  std::int64_t const valid = 32 * InLane - 2 * depth;
  std::int64_t const begin = warp * valid - depth;
  std::int64_t const end = begin + 32 * InLane;
  if (begin + depth >= cells)
    return;
#pragma unroll
  for (int j = 0; j < InLane; ++j) {
    int const c = j * 32 + lane;
    std::int64_t const i = begin + c;
    own[c / InLane * (InLane + 1) + c % InLane] = i >= 0 && i < cells ? u[i] : T(0);
  }
  __syncwarp();
  T x[InLane];
#pragma unroll
  for (int j = 0; j < InLane; ++j)
    x[j] = own[lane * (InLane + 1) + j];

  auto const step = [&](auto const& keeps) {
    T before = __shfl_up_sync(all_lanes, x[InLane - 1], 1);
    T const after = __shfl_down_sync(all_lanes, x[0], 1);
#pragma unroll
    for (int j = 0; j < InLane; ++j) {
      T const centre = x[j];
      T const right = j == InLane - 1 ? after : x[j == InLane - 1 ? j : j + 1];
      if (!keeps(j))
        x[j] = fma(r, fma(T(-2), centre, before + right), centre);
      before = centre;
    }
  };
  if (begin > 0 && end < cells) {
#pragma unroll 2
    for (int k = 0; k < depth; ++k)
      step([](int) { return false; });
  } else {
    std::int64_t const first = begin + lane * InLane;
    for (int k = 0; k < depth; ++k)
      step([&](int j) { return first + j <= 0 || first + j >= cells - 1; });
  }

  __syncwarp();
#pragma unroll
  for (int j = 0; j < InLane; ++j)
    own[lane * (InLane + 1) + j] = x[j];
  __syncwarp();
#pragma unroll
  for (int j = 0; j < InLane; ++j) {
    int const c = j * 32 + lane;
    if (c >= depth && c < depth + valid && begin + c < cells)
      v[begin + c] = own[c / InLane * (InLane + 1) + c % InLane];
  }
}

template <class T, int InLane, int Warps>
void march_pass(T const* u, T* v, T r, std::int64_t cells, int depth, cudaStream_t stream) {
  std::int64_t const valid = 32 * InLane - 2 * depth;
  std::int64_t const tiles = (cells + valid - 1) / valid;
  march_kernel<T, InLane, Warps>
      <<<static_cast<unsigned>((tiles + Warps - 1) / Warps), 32 * Warps, 0, stream>>>(u, v, r, cells, depth);
}

/// `steps` steps on u, which has the result; v is scratch. Each size has the tile and the depth that were fastest for
/// it on an H200.
template <class T>
class march {
public:
  march(T* u, T* v, T r, std::int64_t cells, std::int64_t steps) {
    constexpr bool wide = sizeof(T) == 8;
    int const most = cells < (1 << 18)   ? 64
                     : cells < (1 << 20) ? 32
                     : cells < (1 << 22) ? (wide ? 48 : 32)
                     : wide              ? 64
                                         : 128;
    std::int64_t const passes = (steps + 2 * most - 1) / (2 * most) * 2;
    cudaStream_t stream = nullptr;
    bench::cuda_check(cudaStreamCreate(&stream));
    bench::cuda_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (std::int64_t p = 0; p < passes; ++p) {
      int const depth = static_cast<int>(steps / passes + (p < steps % passes ? 1 : 0));
      if (cells < (1 << 18))
        march_pass<T, 8, 1>(u, v, r, cells, depth, stream);
      else if (cells < (1 << 20))
        march_pass<T, 8, 4>(u, v, r, cells, depth, stream);
      else if (cells < (1 << 22))
        march_pass<T, 16, 4>(u, v, r, cells, depth, stream);
      else
        march_pass<T, wide ? 32 : 64, wide ? 4 : 2>(u, v, r, cells, depth, stream);
      std::swap(u, v);
    }
    cudaGraph_t graph = nullptr;
    bench::cuda_check(cudaStreamEndCapture(stream, &graph));
    bench::cuda_check(cudaGraphInstantiate(&m_graph, graph, 0));
    bench::cuda_check(cudaGraphDestroy(graph));
    bench::cuda_check(cudaStreamDestroy(stream));
    m_passes = passes;
  }
  march(march const&) = delete;
  march& operator=(march const&) = delete;
  ~march() { (void)cudaGraphExecDestroy(m_graph); }

  std::int64_t passes() const { return m_passes; }

  void run() const { bench::cuda_check(cudaGraphLaunch(m_graph, Kokkos::Cuda().cuda_stream())); }

private:
  cudaGraphExec_t m_graph = nullptr;
  std::int64_t m_passes = 0;
};

} // namespace baselines::raw

#endif
