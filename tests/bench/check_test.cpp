// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

/// Element i is i + 1, but for the element `at`.
template <class T>
Kokkos::View<T*> numbers(std::size_t size, std::size_t at, T value) {
  Kokkos::View<T*> const x("x", size);
  auto const host = Kokkos::create_mirror_view(x);
  for (std::size_t i = 0; i < size; ++i)
    host(i) = i == at ? value : static_cast<T>(i + 1);
  Kokkos::deep_copy(x, host);
  return x;
}

template <class T>
struct one_more {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return static_cast<T>(i + 1); }
};

template <class T>
std::string verdict(Kokkos::View<T*> const& x, double tolerance) try {
  return std::to_string(bench::largest_difference(x, one_more<T>{}, tolerance, "chain, fused"));
} catch (apps::wrong_answer const& error) {
  return error.what();
}

TEST(BenchCheck, PassesWhatIsWithinTheTolerance) {
  EXPECT_EQ(verdict(numbers<double>(9, 7, 8), 0), "0.000000");
  EXPECT_EQ(verdict(numbers<double>(9, 7, 9), 0.125), "0.125000");
  EXPECT_EQ(verdict(numbers<float>(9, 7, 7), 0.125), "0.125000");
}

TEST(BenchCheck, FailsWhatIsNot) {
  EXPECT_EQ(verdict(numbers<double>(9, 7, 9), 0.124), "chain, fused: wrong answer, off by 0.125 of the expected value");
  EXPECT_EQ(verdict(numbers<float>(9, 7, 7), 0), "chain, fused: wrong answer, off by 0.125 of the expected value");
  EXPECT_EQ(verdict(numbers<double>(9, 0, -1), 0.1), "chain, fused: wrong answer, off by 2 of the expected value");
}

TEST(BenchCheck, FailsWhatIsNoNumber) {
  for (std::size_t const at : {0, 5, 8}) {
    EXPECT_EQ(verdict(numbers<double>(9, at, NAN), 1e9),
              "chain, fused: wrong answer, off by inf of the expected value");
    EXPECT_EQ(verdict(numbers<float>(9, at, INFINITY), 1e9),
              "chain, fused: wrong answer, off by inf of the expected value");
  }
}

TEST(BenchCheck, SeesEveryElement) {
  constexpr std::size_t size = 1001;
  for (std::size_t at = 0; at < size; ++at)
    EXPECT_NE(verdict(numbers<double>(size, at, 0.5), 0), "0.000000") << at;
}

} // namespace
