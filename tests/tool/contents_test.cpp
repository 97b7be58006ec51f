// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/contents.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using onetrip::tool::changed_share;
using onetrip::tool::digest;
using onetrip::tool::memory_reader;

digest of(std::vector<char> const& bytes, bool whole) {
  static memory_reader reader;
  digest d;
  reader.read(bytes.data(), bytes.size(), whole, d);
  return d;
}

std::vector<char> some(std::size_t bytes) {
  std::vector<char> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    data[i] = static_cast<char>(i * i * i % 251 + i / 97);
  return data;
}

TEST(Contents, EveryByteOfTheWholeCounts) {
  for (std::size_t const bytes : {1, 7, 8, 9, 31, 4095, 4096, 4097, 8200, 300'001}) {
    std::vector<char> data = some(bytes);
    digest const before = of(data, true);
    EXPECT_TRUE(before.is_whole);
    EXPECT_EQ(before.parts.size(), (bytes + 4095) / 4096);
    EXPECT_EQ(changed_share(before, of(data, true)), 0);
    for (std::size_t i = 0; i < bytes; i += bytes < 10'000 ? 1 : 997) {
      data[i] ^= 1;
      EXPECT_EQ(changed_share(before, of(data, true)), 1.0 / static_cast<double>(before.parts.size()))
          << bytes << ' ' << i;
      data[i] ^= 1;
    }
  }
}

TEST(Contents, SwapsAndShiftsShow) {
  std::vector<char> const data = some(4096);
  std::set<std::uint64_t> hashes{of(data, true).parts.at(0)};
  for (std::size_t i = 8; i < data.size(); i += 8) {
    std::vector<char> swapped = data;
    for (std::size_t b = 0; b < 8; ++b)
      std::swap(swapped[b], swapped[i + b]);
    hashes.insert(of(swapped, true).parts.at(0));
  }
  EXPECT_EQ(hashes.size(), 512);
}

TEST(Contents, OfZerosIsConstant) {
  for (std::size_t const bytes : {4, 8, 12, 4096, 4099, 600'000})
    for (bool const whole : {true, false}) {
      std::vector<char> data(bytes);
      EXPECT_TRUE(of(data, whole).is_constant) << bytes;
      if (bytes > 8) {
        data.back() = 1;
        EXPECT_FALSE(of(data, whole).is_constant) << bytes;
      }
    }
}

TEST(Contents, SamplesSeeWhatIsWrittenAllOver) {
  std::vector<char> data = some(1'000'000);
  digest const before = of(data, false);
  EXPECT_FALSE(before.is_whole);
  EXPECT_EQ(before.parts.size(), 32);
  EXPECT_EQ(changed_share(before, of(data, false)), 0);
  for (std::size_t i = 0; i < data.size() / 2; i += 64)
    data[i] ^= 1;
  EXPECT_NEAR(changed_share(before, of(data, false)), 0.5, 0.05);
  EXPECT_LT(changed_share(before, of(data, true)), 0) << "samples say nothing of the whole";
}

TEST(Contents, MemoryThatCannotBeReadCostsNothing) {
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const two = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(two, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<char*>(two) + page, page, PROT_NONE), 0);
  memory_reader reader;
  digest d;
  for (bool const whole : {true, false}) {
    reader.read(two, page, whole, d);
    EXPECT_TRUE(d.is_known());
    reader.read(two, page + 1, whole, d);
    EXPECT_FALSE(d.is_known());
    reader.read(two, SIZE_MAX, whole, d);
    EXPECT_FALSE(d.is_known());
    reader.read(nullptr, 8, whole, d);
    EXPECT_FALSE(d.is_known());
    reader.read(two, 0, whole, d);
    EXPECT_FALSE(d.is_known());
  }
  EXPECT_FALSE(reader.is_forbidden());
  EXPECT_LT(changed_share(d, d), 0);
  munmap(two, 2 * page);
}

} // namespace
