// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region/arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

// Kokkos is finalized while Views are present.

namespace {

using namespace region_tests;

TEST(region_finalize, drops_what_is_present_and_says_so) {
  std::vector<int> memory{1, 2, 3}, other{4, 5, 6};
  Kokkos::View<int*, host, Kokkos::MemoryUnmanaged> const u(memory.data(), 3), v(other.data(), 3);
  // Its instance may not outlive Kokkos, so that nothing ends this region.
  static onetrip::region<device, 1>* data = nullptr;
  Kokkos::initialize();
  {
    mode const how(onetrip::alias::distinct);
    device const exec;
    data = new onetrip::region<device, 1>(exec, onetrip::copy(u));
    add(exec, data->device(u), 1);
    onetrip::enter_data(exec, onetrip::copyin(v), onetrip::copyin(v));
    array<int> const held = count_up("held", 3);
    onetrip::enter_data(exec, onetrip::copyin(held));
  }
  testing::internal::CaptureStderr();
  Kokkos::finalize();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(
                  testing::ContainsRegex("onetrip: a View without a label \\(12 bytes at 0x[0-9a-f]+\\), present by "
                                         "onetrip::copy at finalize_test.cpp:[0-9]+, was so still at "
                                         "Kokkos::finalize \\(regions 1, enter_data 0\\): nothing was copied back\n"),
                  testing::HasSubstr("(regions 0, enter_data 2)"), testing::HasSubstr("'held'")));
  EXPECT_EQ(memory, (std::vector<int>{1, 2, 3}));
}

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
