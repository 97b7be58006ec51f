// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/fuse_kernel.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

// A group's kernel whose reductions join in an order that only the shape decides. The rows, cut into chunks of w
// elements, make tiles of 512 elements. A group has 512 / w places, each of which takes the w elements at its place in
// tile g, g + groups, ... one after the other; the places of a group are joined as a binary tree, and so are the
// groups' results, by the group that is done last.

namespace onetrip::detail {

inline constexpr int tile_elements = 512;
inline constexpr int most_groups = 1024;

template <int Lanes>
inline constexpr int places_of_group = tile_elements / Lanes;

/// Memory of an instance in which groups leave their results.
template <class Accumulated>
struct group_results {
  Accumulated* results;
  unsigned* done; ///< groups that are done; 0 between kernels

  /// Leaves a group's result; whether it was the last one.
  KOKKOS_FORCEINLINE_FUNCTION bool leave(int group, int groups, Accumulated const& result) const {
    results[group] = result;
    Kokkos::memory_fence();
    bool const is_last = Kokkos::atomic_fetch_add(done, 1u) + 1 == static_cast<unsigned>(groups);
    if (is_last)
      *done = 0;
    Kokkos::memory_fence();
    return is_last;
  }
};

/// On a device: a team is a group, a thread a place.
template <class Kernel>
struct reproducible_on_device {
  using accumulated = typename Kernel::value_type;
  using reduced = typename Kernel::reduced;
  static constexpr int threads = places_of_group<Kernel::lanes_of_chunk>;
  static constexpr int scratch_bytes = threads * static_cast<int>(sizeof(accumulated)) + 16; // to be aligned

  Kernel kernel;
  group_results<accumulated> left;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const {
    int const place = team.team_rank(), group = team.league_rank(), groups = team.league_size();
    auto* const shared =
        static_cast<accumulated*>(team.team_shmem().get_shmem_aligned(threads * sizeof(accumulated), 16));
    accumulated mine;
    reduced::init(mine);
    std::int64_t const step = static_cast<std::int64_t>(groups) * threads;
    for (std::int64_t chunk = static_cast<std::int64_t>(group) * threads + place; chunk - place < kernel.grid.total;
         chunk += step * Kernel::chunks_of_item)
      kernel.take_chunks(chunk, step, mine);
    join_places(team, shared, mine);
    int is_last = 0;
    if (place == 0)
      is_last = left.leave(group, groups, shared[0]);
    team.team_broadcast(is_last, 0);
    if (!is_last)
      return;
    reduced::init(mine);
    for (int g = place; g < groups; g += threads)
      reduced::join(mine, left.results[g]);
    join_places(team, shared, mine);
    if (place == 0)
      reduced::write(shared[0], kernel.targets);
  }

private:
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static void join_places(Team const& team, accumulated* shared, accumulated const& mine) {
    int const place = team.team_rank();
    shared[place] = mine;
    for (int half = threads / 2; half > 0; half /= 2) {
      team.team_barrier();
      if (place < half)
        reduced::join(shared[place], shared[place + half]);
    }
    team.team_barrier();
  }
};

/// On the host: an item is a group. `Lanes`: of the device's chunks, so that the order is the same.
template <int Lanes, class Kernel>
struct reproducible_on_host {
  using accumulated = typename Kernel::value_type;
  using reduced = typename Kernel::reduced;
  static constexpr int places = places_of_group<Lanes>;

  Kernel kernel; ///< its grid cut into chunks of `Lanes`
  group_results<accumulated> left;
  int groups;

  KOKKOS_FUNCTION void operator()(std::int64_t group) const {
    accumulated place[places];
    init(place);
    std::int64_t const elements = kernel.grid.total * Lanes; // with those that fill rows up to whole chunks
    for (std::int64_t tile = group * tile_elements; tile < elements;
         tile += static_cast<std::int64_t>(groups) * tile_elements)
      take_tile(tile, Kokkos::min(tile + tile_elements, elements), place);
    join(place);
    if (!left.leave(static_cast<int>(group), groups, place[0]))
      return;
    init(place);
    for (int g = 0; g < groups; ++g)
      reduced::join(place[g % places], left.results[g]);
    join(place);
    reduced::write(place[0], kernel.targets);
  }

private:
  /// Joins the values of elements from `first` in a tile on to their places.
  struct joined_in_places {
    accumulated* place;
    int first;

    template <int R, class Reduction, class Accumulator, class Value>
    KOKKOS_FORCEINLINE_FUNCTION void add(int count, Value const& value) {
      Accumulator values[host_chunk_size];
      evaluate_elements(values, count, value);
      for (int lane = 0; lane < Lanes; ++lane)
        for (int j = lane; j < count; j += Lanes) {
          auto& sum = get<R>(place[(first + j) / Lanes]);
          sum = Reduction::template join<Accumulator>(sum, values[j]);
        }
    }
  };

  KOKKOS_FUNCTION void take_tile(std::int64_t tile, std::int64_t end, accumulated* place) const {
    std::int64_t const row_chunks = kernel.grid.chunks;
    for (std::int64_t at = tile; at < end;) {
      auto const from = kernel.grid.place(at / Lanes, Lanes);
      std::int64_t const row_end = at + (row_chunks - at / Lanes % row_chunks) * Lanes; // filled up
      std::int64_t const elements = row_end - at - (row_chunks * Lanes - kernel.grid.row());
      auto const count = static_cast<int>(Kokkos::min<std::int64_t>({elements, end - at, host_chunk_size}));
      joined_in_places sums{place, static_cast<int>(at - tile)};
      kernel.take_elements(from, count, sums);
      at = count == elements ? row_end : at + count;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void init(accumulated* place) {
    for (int p = 0; p < places; ++p)
      reduced::init(place[p]);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void join(accumulated* place) {
    for (int half = places / 2; half > 0; half /= 2)
      for (int p = 0; p < half; ++p)
        reduced::join(place[p], place[p + half]);
  }
};

} // namespace onetrip::detail
