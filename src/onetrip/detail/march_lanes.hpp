// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/march_update.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// A tile of a CPU: `lanes` lane_pointses of the array side by side, so that a vector holds points that are far from
// each other and a point's neighbours are the same lanes of the rows before and after it. A block of steps of a block
// of rows is taken in registers, for one load and one store of each row.

namespace onetrip::detail {

template <class T>
inline constexpr int march_lanes = 128 / static_cast<int>(sizeof(T)); // two of the widest vectors

/// Steps and rows taken at once: with more of them the compilers run out of registers.
inline constexpr int march_block = 4;

/// `f(0), f(1) ... f(Count - 1)`, unrolled before the compiler looks for vectors.
template <int Count, class F>
[[gnu::always_inline]] inline void unrolled(F const& f) {
  [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, K>()), ...);
  }(std::make_integer_sequence<int, Count>());
}

template <class T, class Update, class Ends>
struct lane_tile {
  static constexpr int lanes = march_lanes<T>;

  pass<T, Update, Ends> const& what;
  std::int64_t
      first; ///< row r of lane l is point `first + l * lane_points + r`; such that there isn't repeats one that is
  std::int64_t lane_points; ///< of a lane's own, between `depth` of its neighbours' at either side
  T* tile;                  ///< `tile_rows` rows of `lanes` values, after `march_block` rows of scratch

  static constexpr std::int64_t rows_for(std::int64_t lane_points, int depth) {
    return (lane_points + 2 * depth + march_block - 1) / march_block * march_block;
  }
  /// Values that a tile takes.
  static constexpr std::int64_t size_for(std::int64_t lane_points, int depth) {
    return (march_block + rows_for(lane_points, depth)) * lanes;
  }

  void load() const {
    for (std::int64_t row = 0; row < rows(); row += march_block)
      for (int lane = 0; lane < lanes; ++lane) {
        std::int64_t const i = first + lane * lane_points + row;
        bool const inside = i >= 0 && i + march_block <= what.points;
        for (int r = 0; r < march_block; ++r)
          tile[(row + r) * lanes + lane] = what.from[inside ? i + r : there(i + r)];
      }
  }

  /// The pass's steps. Afterwards each lane has its own points right.
  [[gnu::always_inline]] void advance() const {
    int done = 0;
    for (; done + march_block <= what.depth; done += march_block)
      sweep<march_block>(done);
    for (; done < what.depth; ++done)
      sweep<1>(done);
  }

  /// Stores each lane's own points as far as `end`.
  void store(std::int64_t end) const {
    std::int64_t const own_rows = what.depth + lane_points;
    for (std::int64_t row = what.depth; row < own_rows; row += march_block)
      for (int lane = 0; lane < lanes; ++lane) {
        std::int64_t const lane_first = first + lane * lane_points;
        std::int64_t const stop = Kokkos::min(Kokkos::min(row + march_block, own_rows), end - lane_first);
        for (std::int64_t r = row; r < stop; ++r)
          what.to[lane_first + r] = tile[r * lanes + lane];
      }
  }

private:
  std::int64_t rows() const { return rows_for(lane_points, what.depth); }

  /// A point that there is, in place of i: its own name with periodic ends.
  std::int64_t there(std::int64_t i) const {
    std::int64_t const n = what.points;
    if constexpr (std::is_same_v<Ends, periodic_ends>)
      return i < 0 ? i + n : i >= n ? i - n : i;
    else
      return Kokkos::clamp<std::int64_t>(i, 0, n - 1);
  }

  /// `Block` steps of all rows that are right after `done` steps, in place: a row is written
  /// when `Block` rows after it have been read.
  template <int Block>
  [[gnu::always_inline]] void sweep(int done) const {
    // Of each step the two rows that the next one needs. What they are at first spoils only rows that count no more.
    alignas(64) T before[Block][lanes];
    alignas(64) T last[Block][lanes];
    for (int k = 0; k < Block; ++k)
      for (int lane = 0; lane < lanes; ++lane)
        before[k][lane] = last[k][lane] = tile[done * lanes + lane];
    std::int64_t const rows_left = rows() - done;
    for (std::int64_t row = done; row < rows_left; row += Block) {
      T* const at = tile + row * lanes;
#if !defined(__clang__)
#pragma GCC ivdep
#endif
      for (int lane = 0; lane < lanes; ++lane) {
        T b[Block];
        T c[Block];
        unrolled<Block>([&](auto k) __attribute__((always_inline)) {
          b[k] = before[k][lane];
          c[k] = last[k][lane];
        });
        unrolled<Block>([&](auto r) __attribute__((always_inline)) {
          T u = at[r * lanes + lane];
          unrolled<Block>([&](auto k) __attribute__((always_inline)) {
            std::int64_t const i = there(first + lane * lane_points + row + r - k - 1);
            T const value = next(what.update, b[k], c[k], u, i, what.first_step + done + k);
            b[k] = c[k];
            c[k] = u;
            u = value;
          });
          at[(r - Block) * lanes + lane] = u;
        });
        unrolled<Block>([&](auto k) __attribute__((always_inline)) {
          before[k][lane] = b[k];
          last[k][lane] = c[k];
        });
      }
    }
  }
};

} // namespace onetrip::detail
