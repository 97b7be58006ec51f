// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/timing.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace {

TEST(SpreadOf, KnownSamples) {
  auto const one = apps::spread_of({3});
  EXPECT_EQ(one.min, 3);
  EXPECT_EQ(one.median, 3);
  EXPECT_EQ(one.max, 3);

  auto const odd = apps::spread_of({5, 1, 2});
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.max, 5);

  auto const even = apps::spread_of({10, 4, 1, 2});
  EXPECT_EQ(even.min, 1);
  EXPECT_EQ(even.median, 3);
  EXPECT_EQ(even.max, 10);
}

TEST(Measure, RunsALongRunOnceASampleAndOnceUntimed) {
  int runs = 0;
  auto const seconds = apps::measure(3, [&] {
    ++runs;
    std::this_thread::sleep_for(std::chrono::milliseconds(runs == 1 ? 200 : 2)); // the first is not timed
  });
  EXPECT_EQ(runs, 4);
  EXPECT_GE(seconds.min, 0.002);
  EXPECT_LE(seconds.min, seconds.median);
  EXPECT_LE(seconds.median, seconds.max);
  EXPECT_LT(seconds.median, 0.2);
}

TEST(Measure, IsNotMisledByOneInterruption) {
  int runs = 0;
  auto const seconds = apps::measure(1, [&] {
    if (++runs == 2) // the first that is timed
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  EXPECT_GT(runs, 100);
  EXPECT_LT(seconds.max, 1e-3);
}

TEST(Measure, RepeatsAShortRunWithinASample) {
  long runs = 0;
  auto const seconds = apps::measure(2, [&] {
    ++runs;
    Kokkos::Timer timer;
    while (timer.seconds() < 2e-6) {
    }
  });
  EXPECT_GT(runs, 100);
  EXPECT_GE(seconds.min, 2e-6);
  EXPECT_LT(seconds.min, 1e-3);
}

} // namespace
