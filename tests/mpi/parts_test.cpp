// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/detail/mpi_exchange.hpp>
#include <onetrip/detail/mpi_partition.hpp>
#include <onetrip/detail/mpi_probe.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "march/cases.hpp"

// Who needs what of whom, and that it comes.

namespace {

using march_tests::device;
using onetrip::detail::partition;

std::vector<std::int64_t> random_sizes(std::mt19937& engine, int ranks, unsigned most) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks));
  for (std::int64_t& size : sizes)
    size = static_cast<std::int64_t>(engine() % 3 == 0 ? engine() % 3 : engine() % most);
  return sizes;
}

TEST(mpi_parts, pieces_are_the_halo) {
  std::mt19937 engine(1);
  for (int c = 0; c < 2000; ++c) {
    bool const periodic = engine() % 2 == 0;
    auto const sizes = random_sizes(engine, 1 + static_cast<int>(engine() % 9), 1 + engine() % 20);
    partition const parts(sizes, periodic);
    std::int64_t const n = parts.points();
    if (n == 0)
      continue;
    std::int64_t const halo = 1 + static_cast<std::int64_t>(engine() % static_cast<unsigned>(n));
    std::vector<std::int64_t> owner, place; // of each point
    for (std::size_t r = 0; r < sizes.size(); ++r)
      for (std::int64_t i = 0; i < sizes[r]; ++i) {
        owner.push_back(static_cast<std::int64_t>(r));
        place.push_back(i);
      }
    for (int rank = 0; rank < parts.ranks(); ++rank) {
      auto const part = parts.extended(rank, halo);
      std::vector<int> times(static_cast<std::size_t>(part.points), 0);
      for (std::int64_t i = 0; i < parts.size(rank); ++i)
        ++times[static_cast<std::size_t>(part.own + i)];
      for (auto const& piece : parts.pieces(rank, halo))
        for (std::int64_t i = 0; i < piece.points; ++i) {
          ++times[static_cast<std::size_t>(piece.to + i)];
          auto const at = static_cast<std::size_t>((part.first + piece.to + i + n) % n);
          ASSERT_EQ(owner[at], piece.owner);
          ASSERT_EQ(place[at], piece.from + i);
        }
      for (int const t : times)
        ASSERT_EQ(t, 1);
      if (parts.size(rank) == 0 || parts.size(rank) == n)
        continue;
      std::int64_t const begin = parts.begin(rank), end = parts.end(rank);
      ASSERT_EQ(part.first, periodic ? begin - halo : std::max<std::int64_t>(begin - halo, 0));
      ASSERT_EQ(part.first + part.points, periodic ? end + halo : std::min(end + halo, n));
    }
  }
}

template <bool Staged>
void exchange_fills_halos(unsigned seed) {
  onetrip::detail::communicator const comm(MPI_COMM_WORLD);
  std::mt19937 engine(seed);
  for (int c = 0; c < 60; ++c) {
    bool const periodic = engine() % 2 == 0;
    partition const parts(random_sizes(engine, comm.size(), 1 + engine() % 40), periodic);
    std::int64_t const n = parts.points();
    std::int64_t const halo = 1 + static_cast<std::int64_t>(engine() % static_cast<unsigned>(n + 1));
    if (halo > n)
      continue;
    auto const part = parts.extended(comm.rank(), halo);
    std::vector<double> start(static_cast<std::size_t>(part.points), -1);
    auto const global = [&](std::int64_t i) { return static_cast<double>((part.first + i + n) % n); };
    march_tests::array<double> const state("state", start.size());
    onetrip::detail::halo_exchange<double, device, Staged> exchange(comm, device(), parts, halo, state.data());
    for (int round = 1; round <= 2; ++round) {
      for (std::int64_t i = 0; i < parts.size(comm.rank()); ++i)
        start[static_cast<std::size_t>(part.own + i)] = round * global(part.own + i);
      march_tests::upload(start, state);
      exchange();
      device().fence();
      auto const filled = march_tests::download(state);
      for (std::int64_t i = 0; i < part.points; ++i)
        ASSERT_EQ(filled[static_cast<std::size_t>(i)], round * global(i)) << "case " << c;
    }
  }
}

TEST(mpi_parts, staged_halos) { exchange_fills_halos<true>(2); }

TEST(mpi_parts, halos) {
  if constexpr (onetrip::detail::is_host_memory<device::memory_space>)
    exchange_fills_halos<false>(3);
}

TEST(mpi_parts, best_halo) {
  using onetrip::detail::best_halo;
  EXPECT_EQ(best_halo(2e-5, 1.0001e9, 64, 1 << 20), 100);      // less than two passes
  EXPECT_EQ(best_halo(2e-5, 1.0001e11, 64, 1 << 20), 7 * 128); // of 1,000
  EXPECT_EQ(best_halo(2e-5, 1e11, 64, 300), 256);
  EXPECT_EQ(best_halo(2e-5, 1e11, 1 << 20, 300), 300);
  EXPECT_EQ(best_halo(1e-9, 1e3, 64, 300), 1);
}

} // namespace
