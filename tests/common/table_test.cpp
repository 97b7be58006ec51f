// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/table.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace {

TEST(Table, AlignsTheFirstColumnLeftAndTheOthersRight) {
  apps::table table({"variant", "ms", "GB/s"});
  table.add({"a", "12345", "1"});
  table.add({"unfused?", "1", "20.5"});
  std::ostringstream text;
  text << table;
  EXPECT_EQ(text.str(), "variant      ms  GB/s\n"
                        "a         12345     1\n"
                        "unfused?      1  20.5\n");
}

TEST(Significant, KeepsTheDigitsThatCount) {
  EXPECT_EQ(apps::significant(0), "0");
  EXPECT_EQ(apps::significant(1), "1.000");
  EXPECT_EQ(apps::significant(12.345), "12.35");
  EXPECT_EQ(apps::significant(123456), "123456");
  EXPECT_EQ(apps::significant(0.00123456), "0.001235");
  EXPECT_EQ(apps::significant(0.5, 2), "0.50");
}

TEST(ErrorText, HasTwoDigits) {
  EXPECT_EQ(apps::error_text(0), "0");
  EXPECT_EQ(apps::error_text(1.234e-16), "1.2e-16");
}

TEST(CountText, WritesPowersOfTwoAsSuch) {
  EXPECT_EQ(apps::count_text(0), "0");
  EXPECT_EQ(apps::count_text(512), "512");
  EXPECT_EQ(apps::count_text(1024), "2^10");
  EXPECT_EQ(apps::count_text(1025), "1025");
  EXPECT_EQ(apps::count_text(std::size_t{1} << 40), "2^40");
}

} // namespace
