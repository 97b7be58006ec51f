// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace {

using onetrip::account;
using onetrip::direction;
using onetrip::kind;
using onetrip::record;
using onetrip::tally;

record transfer(direction where, std::string_view label, std::size_t bytes) {
  record r;
  r.what = kind::transfer;
  r.where = where;
  r.label = label;
  r.source = "source";
  r.space = "Cuda";
  r.source_space = "Host";
  r.bytes_asked = r.bytes_moved = bytes;
  return r;
}

record event(kind what, std::string_view label, std::size_t bytes = 0) {
  record r;
  r.what = what;
  r.label = label;
  r.bytes_asked = bytes;
  return r;
}

std::string printed(account const& a) {
  std::ostringstream out;
  out << a;
  return out.str();
}

std::string const not_seen =
    "Not seen here, since Kokkos reports none of it: headers of device Views, large functors, reductions into host "
    "values, kernels in graphs, resize and realloc, copies by other libraries, page migration.\n";

TEST(account, is_empty_at_first) {
  account const a;
  EXPECT_TRUE(a.records().empty());
  EXPECT_EQ(a.transfers(onetrip::to_device), tally{});
  EXPECT_EQ(printed(a), not_seen);
}

TEST(account, totals_by_direction_and_kind) {
  account const a({transfer(direction::to_device, "u", 1000), transfer(direction::to_device, "v", 200),
                   transfer(direction::to_host, "u", 30), event(kind::fill, "u", 4), event(kind::kernel, "k"),
                   event(kind::failed_copy, "u", 5000)},
                  nullptr);
  EXPECT_EQ(a.transfers(onetrip::to_device), (tally{2, 1200}));
  EXPECT_EQ(a.transfers(onetrip::to_host), (tally{1, 30}));
  EXPECT_EQ(a.transfers(direction::unknown), (tally{0, 0}));
  EXPECT_EQ(a.of(kind::fill), (tally{1, 4}));
  EXPECT_EQ(a.of(kind::kernel), (tally{1, 0}));
  EXPECT_EQ(a.of(kind::failed_copy), (tally{1, 0}));
  EXPECT_EQ(a.total([](record const& r) { return r.label == "u"; }), (tally{4, 1034}));
}

TEST(account, prints_equal_events_as_one_line) {
  account const a({transfer(direction::to_device, "u", 1000), event(kind::kernel, "step"),
                   transfer(direction::to_device, "u", 1000), transfer(direction::to_host, "u", 8),
                   event(kind::allocation, "w", 64)},
                  nullptr);
  EXPECT_EQ(printed(a), "       2  transfer to device \"u\" (Cuda) from \"source\" (Host), 2000 bytes\n"
                        "       1  kernel \"step\"\n"
                        "       1  transfer to host \"u\" (Cuda) from \"source\" (Host), 8 bytes\n"
                        "       1  allocation \"w\", 64 bytes\n" +
                            not_seen);
}

TEST(account, prints_events_that_differ_in_their_device_alone_as_one_line) {
  record one = event(kind::kernel, "step");
  record other = one;
  other.device = 1;
  EXPECT_EQ(printed(account({one, other}, nullptr)), "       2  kernel \"step\"\n" + not_seen);
}

TEST(account, prints_region_and_upper_bound) {
  record r = transfer(direction::to_device, "u", 800);
  r.region = "solve/step";
  r.upper_bound = true;
  EXPECT_EQ(printed(account({r}, nullptr)),
            "       1  transfer to device \"u\" (Cuda) from \"source\" (Host), at most 800 bytes, in solve/step\n" +
                not_seen);
}

TEST(account, every_kind_and_direction_has_a_name) {
  for (int i = 0; i <= static_cast<int>(kind::deallocation); ++i)
    EXPECT_NE(to_string(static_cast<kind>(i)), "unknown") << i;
  for (int i = 0; i <= static_cast<int>(direction::unknown); ++i)
    EXPECT_NE(to_string(static_cast<direction>(i)), "unknown") << i;
}

TEST(account, outlives_its_recorder) {
  account kept;
  {
    onetrip::recorder rec;
    Kokkos::View<int*> const view("a label that is too long for the small string optimisation", 3);
    kept = rec.so_far();
  }
  {
    onetrip::recorder another;
  }
  ASSERT_FALSE(kept.records().empty());
  EXPECT_EQ(kept.records()[0].label, "a label that is too long for the small string optimisation");
}

} // namespace
