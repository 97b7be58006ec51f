// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/memory_check.hpp>
#include <common/program.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace {

constexpr std::size_t gib = std::size_t{1} << 30;
constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

TEST(Shortage, TellsWhatIsNeededAndAvailable) {
  EXPECT_EQ(apps::shortage(12 * gib, 8 * gib, "device memory"), "needs 12.0 GiB of device memory, 8.0 GiB available");
  EXPECT_EQ(apps::shortage(gib + 1, gib, "host memory"), "needs 1.0 GiB of host memory, 1.0 GiB available");
  EXPECT_EQ(apps::shortage(gib, gib, "host memory"), std::nullopt);
  EXPECT_EQ(apps::shortage(0, 0, "host memory"), std::nullopt);
  EXPECT_EQ(apps::shortage(most, std::nullopt, "host memory"), std::nullopt);
}

TEST(BytesFor, Saturates) {
  EXPECT_EQ(apps::bytes_for(3, 8), 24u);
  EXPECT_EQ(apps::bytes_for(3, 0), 0u);
  EXPECT_EQ(apps::bytes_for(most / 8, 8), most / 8 * 8);
  EXPECT_EQ(apps::bytes_for(most / 8 + 1, 8), most);
}

/// The message of the two checks, or nothing.
std::string refusal(std::size_t host_bytes, std::size_t device_bytes) try {
  apps::require_host_memory(host_bytes, device_bytes);
  apps::require_device_memory(device_bytes);
  return "";
} catch (apps::bad_input const& error) {
  return error.what();
}

TEST(RequireMemory, RefusesWhatNoMachineHas) {
  EXPECT_EQ(refusal(0, 0), "");
  EXPECT_EQ(refusal(1 << 20, 1 << 20), "");
  auto const refused =
      testing::MatchesRegex("needs 17179869184.0 GiB of (host|device) memory, [0-9]+.[0-9] GiB available");
  EXPECT_THAT(refusal(most, 0), refused);
  EXPECT_THAT(refusal(0, most), refused);
  EXPECT_THAT(refusal(most, most), refused);
}

} // namespace
