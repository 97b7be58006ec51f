// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "march/cases.hpp"
#include "support/labels.hpp"

// What Kokkos sees of a marcher, what it says of itself, and what it refuses.

namespace {

using namespace march_tests;
using onetrip::kind;

using marcher = onetrip::marcher<device, heat<double>, onetrip::fixed_ends, double>;

TEST(march_events, a_call_is_its_passes_and_nothing_else) {
  for (auto const path : {onetrip::march_path::tiles, onetrip::march_path::stepping}) {
    constexpr std::size_t points = 5000;
    array<double> const u("u", points);
    marcher m(device(), points, heat<double>{0.25}, {}, {.path = path, .depth = 10});
    for (std::int64_t const steps : {0, 1, 2, 19, 20, 21, 100}) {
      onetrip::recorder rec;
      m(u, steps);
      onetrip::account const seen = rec.so_far();
      std::size_t passes = 0;
      for (onetrip::record const& r : seen.records()) {
        if (r.what == kind::tool_fence)
          continue;
        EXPECT_EQ(r.what, kind::kernel) << seen;
        EXPECT_EQ(r.label, "onetrip::march::pass");
        ++passes;
      }
      EXPECT_EQ(passes, static_cast<std::size_t>(m.cost(steps).passes)) << seen;
      EXPECT_EQ(passes % 2, 0u);
    }
  }
}

TEST(march_events, a_marcher_allocates_twice_and_march_frees_what_it_allocates) {
  array<double> const u("u", 3000);
  onetrip::recorder rec;
  onetrip::march(device(), u, 7, heat<double>{0.25}, onetrip::insulated_ends{});
  onetrip::account const seen = rec.so_far();
  EXPECT_EQ(seen.of(kind::allocation), seen.of(kind::deallocation)) << seen;
  EXPECT_LE(seen.of(kind::allocation).count, 2u) << seen;
  EXPECT_EQ(seen.of(kind::transfer).count + seen.of(kind::copy).count + seen.of(kind::fill).count, 0u) << seen;
  EXPECT_EQ(seen.of(kind::fence).count, 1u) << seen;
  EXPECT_THAT(test_support::foreign_labels(seen, "onetrip"), testing::IsEmpty());
}

TEST(march_events, a_cost_tells_passes_bytes_and_redundant_work) {
  marcher const m(device(), 5000, heat<double>{0.25}, {}, {.depth = 8});
  EXPECT_EQ(m.tuning().depth, 8);
  onetrip::march_cost const cost = m.cost(64);
  EXPECT_EQ(cost.passes, 8);
  EXPECT_EQ(cost.depth, 8);
  EXPECT_EQ(cost.bytes_moved, 8u * 2 * 5000 * sizeof(double));
  EXPECT_GT(cost.redundant_work, 0);
  EXPECT_LT(cost.redundant_work, 0.5);
  EXPECT_EQ(m.cost(0).passes, 0);
  EXPECT_EQ(m.cost(1).passes, 2); // the second brings the array back

  marcher const stepping(device(), 5000, heat<double>{0.25}, {}, {.path = onetrip::march_path::stepping});
  EXPECT_EQ(stepping.cost(64).passes, 64);
  EXPECT_EQ(stepping.cost(64).redundant_work, 0);
}

TEST(march_events, steps_in_parts_are_the_steps_at_once) {
  std::vector<double> start(3000);
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = static_cast<double>(i * i % 1013);
  onetrip::driven_ends<wave<double>> const ends;
  onetrip::marcher m(device(), start.size(), heat<double>{0.25}, ends);
  array<double> const u("u", start.size());
  upload(start, u);
  m(u, 33);
  m(u, 0, 33);
  m(u, 68, 33);
  device().fence();
  EXPECT_EQ(differences(download(u), expected(start, 101, heat<double>{0.25}, ends)), 0u);
}

TEST(march_events, a_pass_shallower_than_the_planned_ones_is_right_in_a_large_array) {
  std::vector<double> start(40'000);
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = static_cast<double>(i * i % 1013);
  for (int const steps : {1, 5, 66, 131, 260}) {
    EXPECT_EQ(differences(marched(start, steps, heat<double>{0.3}, onetrip::insulated_ends{}, {}),
                          expected(start, steps, heat<double>{0.3}, onetrip::insulated_ends{})),
              0u)
        << steps;
  }
}

TEST(march_events, parts_of_arrays_are_marched_and_what_is_around_them_stays) {
  std::vector<double> start(3001);
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = static_cast<double>(i * i % 1013);
  array<double> const all("all", start.size());
  upload(start, all);
  auto const part = Kokkos::subview(all, std::pair<std::size_t, std::size_t>(1, 2500)); // off by one: misaligned
  onetrip::march(device(), part, 50, heat<double>{0.25}, onetrip::fixed_ends{});
  std::vector<double> const inside(start.begin() + 1, start.begin() + 2500);
  std::vector<double> const end = expected(inside, 50, heat<double>{0.25}, onetrip::fixed_ends{});
  std::copy(end.begin(), end.end(), start.begin() + 1);
  EXPECT_EQ(download(all), start);
}

template <class Error, class F>
std::string message_of(F const& f) {
  try {
    f();
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(march_errors, say_what_is_wrong) {
  array<double> const u("temperature", 10);
  marcher m(device(), 10, heat<double>{0.25}, {});
  EXPECT_EQ(message_of<onetrip::error>([&] { m(u, -1); }),
            "onetrip::marcher: the View 'temperature' is to take -1 steps; steps must not be negative");
  array<double> const longer("longer", 11);
  EXPECT_EQ(message_of<onetrip::shape_error>([&] { m(longer, 1); }),
            "onetrip::marcher: the View 'longer' has 11 points, the marcher is made for 10");
  Kokkos::View<double**, Kokkos::LayoutRight, device> const matrix("matrix", 10, 3);
  auto const column = Kokkos::subview(matrix, Kokkos::ALL, 1);
  EXPECT_EQ(message_of<onetrip::error>([&] { m(column, 1); }),
            "onetrip::marcher: the View 'matrix' has stride 3; a marcher takes stride 1");
  EXPECT_EQ(message_of<onetrip::error>([&] { marcher(device(), 10, heat<double>{0.25}, {}, {.depth = -1}); }),
            "onetrip::marcher: depth and lane_points must not be negative, but are -1 and 0");
  EXPECT_EQ(message_of<onetrip::error>([&] { marcher(device(), 10, heat<double>{0.25}, {}, {.lane_points = -2}); }),
            "onetrip::marcher: depth and lane_points must not be negative, but are 0 and -2");
}

TEST(march_errors, no_points_are_none_to_march) {
  array<double> const u("u", 0);
  marcher m(device(), 0, heat<double>{0.25}, {});
  m(u, 10);
}

} // namespace
