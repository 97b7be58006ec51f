// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/labels.hpp"

namespace {

using onetrip::kind;
using test_support::follows_label_rule;
using test_support::foreign_labels;

TEST(label_rule, is_prefix_operation_step) {
  EXPECT_TRUE(follows_label_rule("onetrip::fuse::axpy_2", "onetrip"));
  for (char const* wrong : {"", "onetrip", "onetrip::", "onetrip::fuse", "onetrip::fuse::", "onetrip::::step",
                            "onetrip::fuse::step::more", "onetrip::fuse:step", "onetrip::fuse::a step",
                            "other::fuse::step", "onetripfuse::step", "::fuse::step", "xonetrip::fuse::step"})
    EXPECT_FALSE(follows_label_rule(wrong, "onetrip")) << wrong;
}

TEST(label_rule, finds_foreign_labels_of_kernels_allocations_and_fences) {
  std::vector<onetrip::record> records(8);
  auto set = [&](std::size_t i, kind what, std::string_view label) {
    records[i].what = what;
    records[i].label = label;
  };
  set(0, kind::kernel, "onetrip::fuse::step");
  set(1, kind::kernel, "step");
  set(2, kind::allocation, "scratch");
  set(3, kind::fence, "");
  set(4, kind::fence, "Kokkos::fence: Unnamed Global Fence");
  set(5, kind::own_kernel, "Kokkos::ViewFill-1D");
  set(6, kind::deallocation, "scratch");
  set(7, kind::transfer, "u");
  EXPECT_THAT(foreign_labels(onetrip::account(records, nullptr), "onetrip"),
              testing::ElementsAre("step", "scratch", ""));
}

TEST(label_rule, holds_for_the_recorder) {
  onetrip::account seen;
  {
    onetrip::recorder outer;
    {
      onetrip::recorder rec(onetrip::watch::copies);
      rec.stand_in(Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(nullptr, 0));
      (void)rec.so_far();
    }
    seen = outer.so_far();
  }
  EXPECT_TRUE(seen.records().empty()) << seen; // it starts, allocates and fences nothing
}

} // namespace
