// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/check.hpp>

#include <gtest/gtest.h>

namespace {

/// Element i is i + 1, but for the element `at`.
template <class T>
fusion::array<T> numbers(std::size_t size, std::size_t at, T value) {
  fusion::array<T> const x("x", size);
  auto const host = Kokkos::create_mirror_view(x);
  for (std::size_t i = 0; i < size; ++i)
    host(i) = i == at ? value : static_cast<T>(i + 1);
  Kokkos::deep_copy(x, host);
  return x;
}

double expected(std::int64_t i) { return static_cast<double>(i + 1); }

template <class T>
std::string verdict(fusion::array<T> const& x, double tolerance) try {
  return std::to_string(fusion::largest_difference(x, expected, tolerance, "chain, fused"));
} catch (apps::wrong_answer const& error) {
  return error.what();
}

TEST(LargestDifference, IsRelative) {
  EXPECT_EQ(fusion::largest_difference(numbers<double>(9, 7, 8), expected, 0, ""), 0);
  EXPECT_EQ(fusion::largest_difference(numbers<double>(9, 7, 9), expected, 0.125, ""), 0.125);
  EXPECT_EQ(fusion::largest_difference(numbers<float>(9, 7, 7), expected, 0.125, ""), 0.125);
}

TEST(LargestDifference, TellsTheWorstElement) {
  EXPECT_EQ(verdict(numbers<double>(9, 7, 8.5), 0), "chain, fused: wrong answer, worst at element 7: 8.5, expected 8");
  EXPECT_EQ(verdict(numbers<double>(9, 0, -1), 0.1), "chain, fused: wrong answer, worst at element 0: -1, expected 1");
  EXPECT_EQ(verdict(numbers<float>(9, 8, NAN), 1e9), "chain, fused: wrong answer, worst at element 8: nan, expected 9");
  EXPECT_EQ(verdict(numbers<double>(9, 8, INFINITY), 1e9),
            "chain, fused: wrong answer, worst at element 8: inf, expected 9");
}

TEST(LargestDifference, SeesEveryPiece) {
  std::size_t const size = (1 << 20) + 3;
  for (std::size_t const at : {0, (1 << 20) - 1, 1 << 20, (1 << 20) + 2})
    EXPECT_EQ(verdict(numbers<double>(size, at, 0.5), 0).substr(0, 48 + std::to_string(at).size()),
              "chain, fused: wrong answer, worst at element " + std::to_string(at) + ": 0");
}

} // namespace
