// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/launch.hpp>
#include <onetrip/detail/march_lanes.hpp>
#include <onetrip/detail/march_update.hpp>
#include <onetrip/march/tuning.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

// The path of CPUs: tiles of lanes in the cache, the parts near the ends point after point beside them.

namespace onetrip::detail {

/// How an array is cut for CPUs. Where it is `whole`, it is one piece, advanced by one thread without a halo.
struct host_cut {
  std::int64_t points;
  std::int64_t lane_points;
  std::int64_t tiles;
  std::int64_t items; ///< that share the tiles, each with scratch of its own
  int depth;          ///< the largest
  bool whole;

  template <class T, class Ends, class ExecutionSpace>
  static host_cut make(ExecutionSpace const& exec, std::int64_t points, march_tuning const& asked);

  /// Points at either end that are advanced beside the tiles.
  template <class Ends>
  std::int64_t margin() const {
    return std::is_same_v<Ends, periodic_ends> ? 0 : depth;
  }

  /// Values of scratch that an item takes.
  template <class T>
  std::int64_t scratch_of_item() const {
    return whole ? 2 * points
                 : lane_tile<T, int, int>::size_for(lane_points, depth); // more than a piece at an end takes
  }
  template <class T>
  std::int64_t scratch() const {
    return items * scratch_of_item<T>();
  }
  double redundancy(int pass_depth) const {
    return whole ? 0
                 : static_cast<double>(pass_depth) / static_cast<double>(lane_points); // the halo shrinks step by step
  }
};

template <class T, class Ends, class ExecutionSpace>
host_cut host_cut::make(ExecutionSpace const& exec, std::int64_t points, march_tuning const& asked) {
  constexpr std::int64_t lanes = march_lanes<T>;
  constexpr std::int64_t most_lane_points = 1016; // of doubles, a tile of 150 kB: in the second cache
  constexpr std::int64_t least_lane_points = 64;
  constexpr int most_depth = 64;
  std::int64_t const threads = exec.concurrency();
  auto const quotient = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }; // rounded up

  // The halo costs depth / lane_points of the work, a pass some microseconds.
  auto const deepest =
      static_cast<int>(Kokkos::clamp<std::int64_t>(points / (lanes * threads) / 16 * 4, 8, most_depth));
  int const depth = asked.depth != 0 ? asked.depth : deepest;
  if (points < 2 * static_cast<std::int64_t>(depth) + least_lane_points * lanes)
    return {points, points, 1, 1, asked.depth != 0 ? depth : 1 << 20, true};

  std::int64_t const inside = points - 2 * (std::is_same_v<Ends, periodic_ends> ? 0 : depth);
  std::int64_t lane_points = asked.lane_points;
  if (lane_points == 0) {
    std::int64_t tiles = quotient(inside, most_lane_points * lanes);
    if (tiles < 8 * threads) // all threads have as many
      tiles = Kokkos::clamp<std::int64_t>(quotient(tiles, threads) * threads, 1, inside / (least_lane_points * lanes));
    lane_points = quotient(quotient(inside, lanes * tiles), 8) * 8;
    if (lane_points % 512 == 0) // the lanes' points would meet in the same sets of the cache
      lane_points += 8;
  } else {
    lane_points = Kokkos::min(lane_points, inside / (2 * lanes)); // so that what lies beyond an end is in the array
  }
  std::int64_t const tiles = quotient(inside, lane_points * lanes);
  return {points, lane_points, tiles, Kokkos::min(threads, tiles), depth, false};
}

/// A stretch of the array that is advanced point after point in two buffers. Where it doesn't reach an end of the array
/// it loses a point a step there.
template <class T, class Update, class Ends>
struct piece {
  pass<T, Update, Ends> const& what;
  std::int64_t begin;
  std::int64_t end;

  /// Stores the points from `own_begin` to `own_end`.
  [[gnu::always_inline]] void advance(T* scratch, std::int64_t own_begin, std::int64_t own_end) const {
    std::int64_t const size = end - begin;
    bool const has_first = begin == 0;
    bool const has_last = end == what.points;
    T* from = scratch;
    T* to = scratch + size;
    for (std::int64_t j = 0; j < size; ++j)
      from[j] = what.from[begin + j];
    for (int k = 0; k < what.depth; ++k) {
      std::int64_t const step = what.first_step + k;
      std::int64_t const first = has_first ? 1 : 1 + k;
      std::int64_t const last = size - 1 - (has_last ? 0 : k);
#if !defined(__clang__)
#pragma GCC ivdep
#endif
      for (std::int64_t j = first; j < last; ++j)
        to[j] = next(what.update, from[j - 1], from[j], from[j + 1], begin + j, step);
      ends_in_step<T, Ends> const ends(what.ends, step);
      if (has_first)
        to[0] =
            next_or_end(what.update, ends, from[size - 1], from[0], from[size > 1 ? 1 : 0], 0, step, true, size == 1);
      if (has_last && size > 1)
        to[size - 1] =
            next_or_end(what.update, ends, from[size - 2], from[size - 1], from[0], what.points - 1, step, false, true);
      std::swap(from, to);
    }
    for (std::int64_t i = own_begin; i < own_end; ++i)
      what.to[i] = from[i - begin];
  }
};

/// Work item w of a pass: its share of the tiles; the first and the last item take the ends, too.
template <class T, class Update, class Ends>
struct host_work {
  pass<T, Update, Ends> what;
  host_cut cut;
  T* scratch;
  std::int64_t scratch_of_item;

  [[gnu::always_inline]] void run(std::int64_t w) const {
    T* const own_scratch = scratch + w * scratch_of_item;
    std::int64_t const n = what.points;
    if (cut.whole) {
      piece<T, Update, Ends>{what, 0, n}.advance(own_scratch, 0, n);
      return;
    }
    std::int64_t const margin = cut.template margin<Ends>();
    if (margin > 0 && w == 0)
      piece<T, Update, Ends>{what, 0, margin + what.depth}.advance(own_scratch, 0, margin);
    if (margin > 0 && w == cut.items - 1)
      piece<T, Update, Ends>{what, n - margin - what.depth, n}.advance(own_scratch, n - margin, n);
    std::int64_t const tile_points = cut.lane_points * march_lanes<T>;
    std::int64_t const begin = w * cut.tiles / cut.items;
    std::int64_t const end = (w + 1) * cut.tiles / cut.items;
    for (std::int64_t t = begin; t < end; ++t) {
      lane_tile<T, Update, Ends> const tile{what, margin - what.depth + t * tile_points, cut.lane_points,
                                            own_scratch + march_block * march_lanes<T>};
      tile.load();
      tile.advance();
      tile.store(n - margin);
    }
  }
};

// The same work compiled for the vectors of this machine, whatever the compiler was told of it. Where it was told as
// much, there is one version.

enum class vectors : std::uint8_t { as_compiled, avx2, avx512 };

#if defined(__x86_64__) && !defined(__AVX512F__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define ONETRIP_MARCH_VECTORS

template <class Work>
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] void run_avx2(Work const& work, std::int64_t w) {
  work.run(w);
}

template <class Work>
[[gnu::target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma"), gnu::flatten, gnu::noinline]] void
run_avx512(Work const& work, std::int64_t w) {
  work.run(w);
}
#endif

inline vectors widest_vectors() {
#if defined(ONETRIP_MARCH_VECTORS)
  static vectors const widest = [] {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
      return vectors::avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? vectors::avx2 : vectors::as_compiled;
  }();
  return widest;
#else
  return vectors::as_compiled;
#endif
}

template <class Work>
struct host_kernel {
  Work work;
  vectors width;

  void operator()(std::int64_t w) const {
#if defined(ONETRIP_MARCH_VECTORS)
    if (width == vectors::avx512)
      return run_avx512(work, w);
    if (width == vectors::avx2)
      return run_avx2(work, w);
#endif
    work.run(w);
  }
};

/// A pass over the array. One kernel.
template <class ExecutionSpace, class T, class Update, class Ends>
void run_tiles(ExecutionSpace const& exec, std::string const& label, pass<T, Update, Ends> const& what,
               host_cut const& cut, T* scratch) {
  using work = host_work<T, Update, Ends>;
  launch_for(exec, label, cut.items,
             host_kernel<work>{{what, cut, scratch, cut.scratch_of_item<T>()}, widest_vectors()});
}

} // namespace onetrip::detail
