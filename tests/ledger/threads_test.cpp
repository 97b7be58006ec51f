// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

// Real copies and kernels from several host threads. Not for builds of Kokkos without threads: theirs has no atomics,
// and two threads that copy one View race.

namespace {

using device = Kokkos::DefaultExecutionSpace;
using onetrip::kind;
using onetrip::tally;

struct nothing_to_do {
  KOKKOS_FUNCTION void operator()(int) const {}
};

void copy_and_compute(Kokkos::View<int*> const& view, int times) {
  auto const host = Kokkos::create_mirror(view);
  for (int i = 0; i < times; ++i) {
    Kokkos::deep_copy(view, host);
    Kokkos::deep_copy(host, view);
    Kokkos::parallel_for("mine", 1, nothing_to_do{});
  }
}

TEST(threads, every_event_is_seen_once) {
  std::size_t const threads = 4;
  std::size_t const times = 200;
  std::vector<Kokkos::View<int*>> views;
  for (std::size_t t = 0; t < threads; ++t)
    views.emplace_back("view", t + 1);
  onetrip::recorder rec;
  for (auto const& view : views)
    rec.stand_in(view);
  {
    std::vector<std::jthread> running;
    for (auto const& view : views)
      running.emplace_back([&view] { copy_and_compute(view, times); });
  }
  std::size_t const bytes = times * sizeof(int) * (1 + 2 + 3 + 4);
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{threads * times, bytes})) << rec;
  EXPECT_EQ(rec.transfers(onetrip::to_host), (tally{threads * times, bytes})) << rec;
  EXPECT_EQ(rec.so_far().of(kind::kernel).count, threads * times) << rec;
  EXPECT_EQ(rec.so_far().of(kind::failed_copy).count, 0u) << rec;
}

TEST(threads, have_regions_of_their_own) {
  onetrip::recorder rec;
  Kokkos::Profiling::pushRegion("main");
  {
    std::vector<std::jthread> running;
    for (char const* name : {"first", "second"})
      running.emplace_back([name] {
        for (int i = 0; i < 100; ++i) {
          Kokkos::Profiling::pushRegion(name);
          Kokkos::parallel_for(name, 1, nothing_to_do{});
          Kokkos::Profiling::popRegion();
        }
      });
  }
  Kokkos::parallel_for("main", 1, nothing_to_do{});
  Kokkos::Profiling::popRegion();
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.total([](auto const& r) { return r.what == kind::kernel && r.region == r.label; }).count, 201u) << rec;
}

TEST(threads, regions_within_a_parallel_region_are_safe) {
  onetrip::recorder rec;
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 100; ++i) {
    Kokkos::Tools::Experimental::get_callbacks().push_region("within");
    Kokkos::Tools::Experimental::get_callbacks().pop_region();
  }
  Kokkos::parallel_for("after", 1, nothing_to_do{});
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.total([](auto const& r) { return r.what == kind::kernel && r.region.empty(); }).count, 1u) << rec;
}

} // namespace
