// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "fuse/arrays.hpp"

// With `reproducible`, a sum's order is the documented one, on every backend: against the same order in plain loops.

namespace {

using namespace fuse_tests;
using onetrip::fuse;
using onetrip::in;
using onetrip::reproducible;

/// The places of a group joined as a binary tree.
double joined(std::vector<double> place) {
  for (std::size_t half = place.size() / 2; half > 0; half /= 2)
    for (std::size_t p = 0; p < half; ++p)
      place[p] += place[p + half];
  return place[0];
}

/// The sum of `value(row, i)` in the documented order; `width`: elements of the smallest type in 16 bytes.
template <class F>
double documented_sum(std::size_t rows, std::size_t length, std::size_t width, F const& value) {
  std::size_t const filled_up = (length + width - 1) / width * width, places = 512 / width;
  std::size_t const groups = std::clamp<std::size_t>((rows * filled_up + 511) / 512, 1, 1024);
  std::vector const none(places, 0.0);
  std::vector sums(groups, none);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < length; ++i) {
      std::size_t const at = row * filled_up + i;
      sums[at / 512 % groups][at % 512 / width] += value(row, i);
    }
  std::vector total = none;
  for (std::size_t g = 0; g < groups; ++g)
    total[g % places] += joined(sums[g]);
  return joined(total);
}

/// Of many magnitudes, so that each order of a sum has bits of its own.
template <class T>
std::vector<T> uneven_values(std::size_t n) {
  std::mt19937 engine(static_cast<unsigned>(n));
  std::normal_distribution<double> value;
  std::uniform_int_distribution<int> exponent(-20, 20);
  return filled<T>(n, [&](auto) { return std::ldexp(value(engine), exponent(engine)); });
}

std::vector<std::size_t> sizes_about_tiles() { return {0, 1, 2, 511, 512, 513, 1027, 100'003, 1'048'576 + 777}; }

template <class T>
void expect_documented_order() {
  for (std::size_t const n : sizes_about_tiles()) {
    auto const values = uneven_values<T>(n);
    array<T> const x = make(values);
    double const expected = documented_sum(1, n, 16 / sizeof(T), [&](auto, auto i) { return double(values[i]); });
    double total = 99;
    fuse(device(), "test", reproducible, onetrip::sum(total, onetrip::cast<double>(x)));
    EXPECT_EQ(total, expected) << n;
    double in_order = 0;
    for (T const v : values)
      in_order += v;
    EXPECT_TRUE(n < 1000 || total != in_order) << "the data can't tell orders apart";
  }
}
TEST(reproducible, sums_have_the_documented_order) {
  expect_documented_order<double>();
  expect_documented_order<float>();
}

TEST(reproducible, sums_of_parts_of_arrays_have_it_too) {
  std::size_t const rows = 301, length = 257;
  Kokkos::View<double**, Kokkos::LayoutRight, device> const m("m", rows, length + 5);
  auto const host = Kokkos::create_mirror(m); // apart from the device's, on a host too
  auto const values = uneven_values<double>(m.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < m.extent(1); ++j)
      host(i, j) = values[i * m.extent(1) + j];
  Kokkos::deep_copy(m, host);
  auto const part = Kokkos::subview(m, Kokkos::ALL, std::pair<std::size_t, std::size_t>(3, 3 + length));
  double const expected = documented_sum(rows, length, 2, [&](auto i, auto j) { return host(i, j + 3); });
  double total = 0;
  fuse(device(), "test", reproducible, onetrip::sum(total, part));
  EXPECT_EQ(total, expected);
  scalar<double> const result("result"), largest("largest");
  array<double> const row("row", length);
  fuse(device(), "test", reproducible, onetrip::store(part, in(part) * 2.0), onetrip::sum(result, part),
       onetrip::max_of(largest, onetrip::abs(in(part) + row)));
  EXPECT_EQ(value_of(result), 2 * expected);
  double expected_largest = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < length; ++j)
      expected_largest = std::max(expected_largest, std::abs(2 * host(i, j + 3)));
  EXPECT_EQ(value_of(largest), expected_largest);
}

TEST(reproducible, sums_are_the_same_at_every_run_and_on_any_instance) {
  array<double> const x = make(uneven_values<double>(300'007));
  double first = 0;
  fuse(device(), "test", reproducible, onetrip::sum(first, x));
  scalar<double> const result("result");
  for (int run = 0; run < 100; ++run) {
    fuse(device(), "test", reproducible, onetrip::sum(result, x));
    ASSERT_EQ(value_of(result), first);
  }
  auto const instances = Kokkos::Experimental::partition_space(device(), 1, 3); // on a host, of other thread counts
  for (device const& exec : instances) {
    double total = 0;
    fuse(exec, "test", reproducible, onetrip::sum(total, x));
    EXPECT_EQ(total, first);
  }
}

TEST(reproducible, groups_without_a_reduction_are_as_they_were) {
  auto const x = make<double>({1, 2, 3});
  fuse(device(), "test", reproducible, onetrip::store(x, in(x) + 1.0));
  EXPECT_EQ(values_of(x), (std::vector<double>{2, 3, 4}));
}

TEST(reproducible, mixes_types_and_counts) {
  std::size_t const n = 10'001;
  auto const values = filled<std::int16_t>(n, scrambled);
  auto const x = make(values);
  std::int64_t total = 0, expected = 0;
  int negative = 0, expected_negative = 0;
  for (int const v : values) {
    expected += v;
    expected_negative += v < 0;
  }
  bool has_eight = false;
  fuse(device(), "test", reproducible, onetrip::sum(total, x), onetrip::count(negative, in(x) < 0),
       onetrip::any(has_eight, in(x) == 8));
  EXPECT_EQ(total, expected);
  EXPECT_EQ(negative, expected_negative);
  EXPECT_TRUE(has_eight);
}

} // namespace
