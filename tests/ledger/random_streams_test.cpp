// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>
#include <vector>

#include "support/event_source.hpp"

// Random streams from several threads at once against a simple model of each thread.

namespace {

using onetrip::kind;
using onetrip::tally;
using test_support::at;
using events = test_support::event_source;

using totals = std::map<kind, tally>;

/// Sends a random stream and returns what a recorder should see of it.
totals send_random_events(unsigned seed, int count) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return random() % n; };
  totals expected;
  auto expect = [&](kind what, std::size_t bytes = 0) {
    ++expected[what].count;
    expected[what].bytes += bytes;
  };
  struct {
    kind what;
    std::size_t bytes;
  } open{};
  bool is_open = false;
  auto fail = [&] { // no end will count for it
    if (is_open)
      expect(kind::failed_copy);
    is_open = false;
  };
  int depth = 0;
  for (int i = 0; i < count; ++i)
    switch (below(10)) {
    case 0:
    case 1: {
      fail();
      bool const to_device = below(2) == 0;
      std::size_t const bytes = below(1000);
      bool const self = below(8) == 0;
      events::begin_copy(to_device ? "Cuda" : "Host", "a", at(4096), "Host", "b", at(self ? 4096 : 8192), bytes);
      open = {bytes == 0 ? kind::empty_copy : self ? kind::alias : to_device ? kind::transfer : kind::copy, bytes};
      is_open = true;
      break;
    }
    case 2:
    case 3:
      events::end_copy();
      if (is_open)
        expect(open.what, open.bytes);
      is_open = false;
      break;
    case 4:
      events::kernel("user");
      expect(kind::kernel);
      break;
    case 5:
      events::kernel("Kokkos::ViewFill-1D");
      expect(kind::own_kernel);
      break;
    case 6:
      events::fence("Kokkos::deep_copy: pre copy fence");
      expect(kind::own_fence);
      break;
    case 7:
      events::fence("Kokkos::fence: Unnamed Global Fence");
      expect(kind::fence);
      break;
    case 8:
      if (below(2) == 0 && depth < 20) {
        events::push("r");
        ++depth;
      } else {
        events::pop();
        depth = depth > 0 ? depth - 1 : 0;
      }
      fail();
      break;
    case 9: {
      std::size_t const bytes = below(100);
      events::allocate("Host", "v", at(1 << 16), bytes);
      expect(kind::allocation, bytes);
      break;
    }
    }
  fail();
  return expected;
}

void expect_totals(onetrip::account const& seen, totals const& expected, unsigned seed) {
  for (int k = 0; k <= static_cast<int>(kind::deallocation); ++k) {
    kind const what = static_cast<kind>(k);
    auto const found = expected.find(what);
    EXPECT_EQ(seen.of(what), found == expected.end() ? tally{} : found->second) << to_string(what) << ", seed " << seed;
  }
}

TEST(random_streams, of_one_thread_match_the_model) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    onetrip::recorder rec;
    totals const expected = send_random_events(seed, static_cast<int>(seed % 60));
    expect_totals(rec.so_far(), expected, seed);
  }
}

TEST(random_streams, of_several_threads_match_the_models) {
  for (unsigned round = 0; round < 20; ++round) {
    onetrip::recorder rec;
    std::vector<totals> parts(4);
    {
      std::vector<std::jthread> threads;
      for (unsigned t = 0; t < parts.size(); ++t)
        threads.emplace_back([&parts, t, round] { parts[t] = send_random_events(1000 * round + t, 500); });
    }
    totals expected;
    for (totals const& part : parts)
      for (auto const& [what, sum] : part) {
        expected[what].count += sum.count;
        expected[what].bytes += sum.bytes;
      }
    expect_totals(rec.so_far(), expected, round);
  }
}

} // namespace
