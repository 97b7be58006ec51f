// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA

#include <onetrip/detail/launch.hpp>
#include <onetrip/detail/march_update.hpp>
#include <onetrip/error.hpp>
#include <onetrip/march/tuning.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

// The path of NVIDIA's GPUs: a warp has a tile in its registers, neighbours in other lanes come by shuffles.

namespace onetrip::detail {

/// The points of a lane that there are kernels for: small, middle, large.
template <class T>
inline constexpr int march_lane_points[3] = {8, 16, sizeof(T) == 8 ? 32 : 64};

/// How an array is cut into tiles of `32 * lane_points` points, of which `depth` at each side are halo.
struct warp_cut {
  int lane_points; ///< one of `march_lane_points`
  int warps;       ///< of a block
  int depth;       ///< the largest

  template <class T, class Ends>
  static warp_cut make(Kokkos::Cuda const& exec, std::int64_t points, march_tuning const& asked);

  template <class T>
  static std::int64_t scratch() {
    return 0;
  }
  double redundancy(int pass_depth) const {
    int const halo = 2 * pass_depth;
    return static_cast<double>(halo) / (32 * lane_points - halo);
  }
};

template <class T, class Ends>
warp_cut warp_cut::make(Kokkos::Cuda const& exec, std::int64_t points, march_tuning const& asked) {
  // What was fastest on an H200, by the points of a multiprocessor.
  constexpr auto const& sizes = march_lane_points<T>;
  constexpr bool wide = sizeof(T) == 8;
  std::int64_t const share = points / exec.cuda_device_prop().multiProcessorCount;
  warp_cut cut = share < 1000    ? warp_cut{sizes[0], 1, 64}
                 : share < 4000  ? warp_cut{sizes[0], 4, 32}
                 : share < 32000 ? warp_cut{sizes[1], 4, wide ? 48 : 32}
                                 : warp_cut{sizes[2], wide ? 4 : 2, wide ? 64 : 128};
  if (asked.lane_points != 0) {
    if (asked.lane_points != sizes[0] && asked.lane_points != sizes[1] && asked.lane_points != sizes[2])
      throw error("onetrip::marcher: lane_points must be " + std::to_string(sizes[0]) + ", " +
                  std::to_string(sizes[1]) + " or " + std::to_string(sizes[2]) + ", not " +
                  std::to_string(asked.lane_points));
    cut = {asked.lane_points, 32 * asked.lane_points > 1024 ? 2 : 4, Kokkos::min(cut.depth, 8 * asked.lane_points)};
  }
  if (asked.depth != 0) {
    if (asked.depth >= 16 * cut.lane_points)
      throw error("onetrip::marcher: depth must be less than half a tile's " + std::to_string(32 * cut.lane_points) +
                  " points, not " + std::to_string(asked.depth));
    cut.depth = asked.depth;
  }
  return cut;
}

inline constexpr int march_threads = 128; ///< the most of a block

/// Blocks that a multiprocessor has room for at least, which bounds the registers. What an update reads of its own, and
/// other than fixed ends, take more.
template <class T, class Update, class Ends>
inline constexpr int march_blocks =
    plain_update<Update, T> && (std::is_same_v<Ends, fixed_ends> || std::is_same_v<Ends, periodic_ends>) ? 4 : 2;

/// A lane's points in shared memory, with a gap against bank conflicts.
template <int InLane>
__device__ int shared_place(int c) {
  return c / InLane * (InLane + 1) + c % InLane;
}

/// A point that there is, in place of i: its own name with periodic ends, else the nearest.
template <class Ends>
__device__ std::int64_t there(std::int64_t i, std::int64_t points) {
  if constexpr (std::is_same_v<Ends, periodic_ends>) {
    std::int64_t const rest = i % points;
    return rest < 0 ? rest + points : rest;
  } else {
    return i < 0 ? 0 : i < points ? i : points - 1;
  }
}

/// Where a tile has the ends of the array: nowhere; the first point at the front of a lane or the last at the back of
/// one; at any place, or both.
enum class ends_lie : std::uint8_t { outside, at_lanes, anywhere };

/// Takes the steps of a pass on a lane's points `u`, from point `first` on.
template <ends_lie Where, class T, int InLane, class Update, class Ends>
__device__ void advance_lane(T (&u)[InLane], std::int64_t first, pass<T, Update, Ends> const& what) {
  constexpr unsigned all_lanes = 0xffffffff;
  constexpr bool with_ends = Where != ends_lie::outside;
  std::int64_t const first_there = with_ends ? there<Ends>(first, what.points) : first;
  // Which of the lane's points are the ends; none where the number is outside.
  int first_at = -1;
  int last_at = -1;
  if constexpr (with_ends) {
    if (first <= 0 && -first < InLane)
      first_at = static_cast<int>(-first);
    if (first <= what.points - 1 && what.points - 1 - first < InLane)
      last_at = static_cast<int>(what.points - 1 - first);
  }
#pragma unroll(Where == ends_lie::anywhere ? 1 : 2)
  for (int k = 0; k < what.depth; ++k) {
    if constexpr (Where ==
                  ends_lie::anywhere) // what follows from these is not to be kept in registers from step to step
      asm volatile("" : "+r"(first_at), "+r"(last_at));
    std::int64_t const step = what.first_step + k;
    ends_in_step<T, Ends> const ends(what.ends, step); // unused where there are none
    std::int64_t i = first_there;
    T before = __shfl_up_sync(all_lanes, u[InLane - 1], 1);
    T const after = __shfl_down_sync(all_lanes, u[0], 1);
#pragma unroll
    for (int j = 0; j < InLane; ++j) {
      bool const may_be_first = Where == ends_lie::anywhere || j == 0;
      bool const may_be_last = Where == ends_lie::anywhere || j == InLane - 1;
      T const centre = u[j];
      T const right = j == InLane - 1 ? after : u[j == InLane - 1 ? j : j + 1];
      if constexpr (with_ends)
        u[j] = next_or_end(what.update, ends, before, centre, right, i, step, may_be_first && j == first_at,
                           may_be_last && j == last_at);
      else
        u[j] = next(what.update, before, centre, right, i, step);
      before = centre;
      if constexpr (!with_ends)
        ++i;
      else if constexpr (std::is_same_v<Ends, periodic_ends>)
        i = i + 1 == what.points ? 0 : i + 1;
      else
        i = there<Ends>(first + j + 1, what.points);
    }
  }
}

template <class T, int InLane, class Update, class Ends>
__global__ void __launch_bounds__(march_threads, march_blocks<T, Update, Ends>)
    march_tiles(pass<T, Update, Ends> const what) {
  extern __shared__ __align__(16) unsigned char onetrip_march_shared[];
#if __CUDA_ARCH__ >= 900
  // The next pass's blocks may come while the last of this one's are at work; they wait here.
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  constexpr int tile = 32 * InLane;
  int const lane = static_cast<int>(threadIdx.x % 32);
  int const warp_of_block = static_cast<int>(threadIdx.x / 32);
  std::int64_t const warp = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / 32) + warp_of_block;
  int const own = tile - 2 * what.depth;
  std::int64_t begin = warp * own - what.depth;
  if (begin + what.depth >= what.points)
    return;
  // Stored are the tile's points from own_begin to own_end.
  int own_begin = what.depth;
  auto own_end = static_cast<int>(Kokkos::min<std::int64_t>(tile - what.depth, what.points - begin));
  constexpr bool periodic = std::is_same_v<Ends, periodic_ends>;
  bool const at_end = begin <= 0 || begin + tile >= what.points;
  if (!periodic &&
      begin + tile >=
          what.points) { // moved back so that the last point is a lane's last; from beyond it nothing is spoilt
    int const moved = (tile - static_cast<int>(what.points - begin)) % InLane;
    begin -= moved;
    own_begin += moved;
    own_end += moved;
  }

  // Neighbouring threads read neighbouring points, then each takes those of its lane.
  T* const shared = reinterpret_cast<T*>(onetrip_march_shared) + warp_of_block * (32 * (InLane + 1));
  if (at_end) {
    for (int c = lane; c < tile; c += 32)
      shared[shared_place<InLane>(c)] = what.from[there<Ends>(begin + c, what.points)];
  } else {
    T const* const from = what.from + begin + lane;
#pragma unroll
    for (int j = 0; j < InLane; ++j)
      shared[shared_place<InLane>(j * 32 + lane)] = from[j * 32];
  }
  __syncwarp();
  T u[InLane];
#pragma unroll
  for (int j = 0; j < InLane; ++j)
    u[j] = shared[lane * (InLane + 1) + j];

  std::int64_t const first = begin + lane * InLane;
  if (!at_end || (periodic && plain_update<Update, T>))
    advance_lane<ends_lie::outside>(u, first, what);
  else if (periodic || begin > 0 || begin % InLane == 0)
    advance_lane<ends_lie::at_lanes>(u, first, what);
  else
    advance_lane<ends_lie::anywhere>(u, first, what);

  __syncwarp();
#pragma unroll
  for (int j = 0; j < InLane; ++j)
    shared[lane * (InLane + 1) + j] = u[j];
  __syncwarp();
  T* const to = what.to + begin + lane;
#pragma unroll
  for (int j = 0; j < InLane; ++j) {
    int const c = j * 32 + lane;
    if (c >= own_begin && c < own_end)
      to[j * 32] = shared[shared_place<InLane>(c)];
  }
}

template <class T, int InLane, class Update, class Ends>
void launch_tiles(Kokkos::Cuda const& exec, std::string const& label, pass<T, Update, Ends> const& what, int warps) {
  static_assert(sizeof(what) <= largest_functor,
                "onetrip::marcher: the functor and the ends are larger than a kernel's "
                "arguments may be; keep arrays in Views");
  std::int64_t const own = 32 * InLane - 2 * what.depth;
  std::int64_t const tiles = (what.points + own - 1) / own;
  cudaLaunchAttribute overlapped{};
  overlapped.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlapped.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>((tiles + warps - 1) / warps));
  config.blockDim = dim3(32 * static_cast<unsigned>(warps));
  config.dynamicSmemBytes = sizeof(T) * static_cast<std::size_t>(warps) * 32 * (InLane + 1);
  config.stream = exec.cuda_stream();
  config.attrs = &overlapped;
  config.numAttrs = exec.cuda_device_prop().major >= 9 ? 1 : 0;
  void* arguments[] = {const_cast<pass<T, Update, Ends>*>(&what)};
  launch_native(exec, label, [&] {
    cudaSetDevice(exec.cuda_device());
    cudaError_t const status =
        cudaLaunchKernelExC(&config, reinterpret_cast<void const*>(&march_tiles<T, InLane, Update, Ends>), arguments);
    if (status != cudaSuccess)
      throw error(label + ": " + cudaGetErrorString(status));
  });
}

/// A pass over the array. One kernel; returns at once.
template <class T, class Update, class Ends>
void run_tiles(Kokkos::Cuda const& exec, std::string const& label, pass<T, Update, Ends> const& what,
               warp_cut const& cut, T*) {
  constexpr auto const& sizes = march_lane_points<T>;
  if (cut.lane_points == sizes[0])
    launch_tiles<T, sizes[0]>(exec, label, what, cut.warps);
  else if (cut.lane_points == sizes[1])
    launch_tiles<T, sizes[1]>(exec, label, what, cut.warps);
  else
    launch_tiles<T, sizes[2]>(exec, label, what, cut.warps);
}

} // namespace onetrip::detail

#endif
