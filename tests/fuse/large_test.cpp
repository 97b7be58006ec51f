// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <cstdint>

#include "fuse/arrays.hpp"

// Past 2^32 elements and bytes: labelled "large", run by one configuration. What is only read needs no memory: a View
// of stride 0.

namespace {

using namespace fuse_tests;
using onetrip::fuse;
using onetrip::in;
using onetrip::store;

constexpr std::size_t past_32_bits = (std::size_t{1} << 32) + 1;

template <class T>
using repeated = Kokkos::View<T const*, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged>;

bool has_room_for(std::size_t bytes) {
  auto const available = onetrip::available_memory<device_memory>();
  return !available || *available > bytes + bytes / 2;
}

TEST(large, sum_of_1e9_float_ones) {
  auto const one = make_scalar(1.0f);
  repeated<float> const ones(one.data(), Kokkos::LayoutStride(1'000'000'000, 0));
  float total = 0;
  fuse(device(), "test", onetrip::sum(total, ones));
  EXPECT_EQ(total, 1e9f);
}

TEST(large, reductions_over_more_than_2_to_the_32_elements) {
  auto const one = make_scalar(std::uint8_t(1));
  repeated<std::uint8_t> const ones(one.data(), Kokkos::LayoutStride(past_32_bits, 0));
  std::int64_t greatest = 0, elements = 0;
  fuse(device(), "test", onetrip::max_of(greatest, onetrip::index<0>() * ones), onetrip::sum(elements, ones));
  EXPECT_EQ(greatest, static_cast<std::int64_t>(past_32_bits) - 1);
  EXPECT_EQ(elements, static_cast<std::int64_t>(past_32_bits));
}

TEST(large, outputs_of_more_than_2_to_the_32_bytes) {
  if (!has_room_for(past_32_bits))
    GTEST_SKIP() << "needs " << past_32_bits << " bytes of memory";
  array<std::uint8_t> const x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), past_32_bits);
  onetrip::assign(device(), x, onetrip::cast<std::uint8_t>(onetrip::index<0>() + 7));
  std::int64_t wrong = 99;
  fuse(device(), "test", onetrip::count(wrong, in(x) != onetrip::cast<std::uint8_t>(onetrip::index<0>() + 7)));
  EXPECT_EQ(wrong, 0);
  std::uint8_t last = 99;
  Kokkos::deep_copy(last, Kokkos::subview(x, past_32_bits - 1));
  EXPECT_EQ(last, 7);

  // A column of rows of 2^31 bytes: three elements, the last beyond 2^32.
  Kokkos::View<std::uint8_t*, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged> const column(
      x.data(), Kokkos::LayoutStride(3, std::size_t{1} << 31));
  onetrip::assign(device(), column, in(column)-in(column) + 252);
  Kokkos::deep_copy(last, Kokkos::subview(x, past_32_bits - 1));
  EXPECT_EQ(last, 252);
}

} // namespace
