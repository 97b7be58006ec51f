// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "fuse/arrays.hpp"

// Several statements in one kernel: what a later one sees, outputs in place, reductions.

namespace {

using namespace fuse_tests;
using onetrip::fuse;
using onetrip::in;
using onetrip::store;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(groups, later_statement_sees_the_earlier_value) {
  for (std::size_t const n : sizes()) {
    auto const x = make(filled<double>(n, scrambled));
    array<double> const y("y", n), z("z", n);
    fuse(device(), "test", store(x, in(x) + 1.0), store(y, in(x) * 2.0), store(z, in(x) + in(y)));
    EXPECT_EQ(values_of(y), filled<double>(n, [](auto i) { return (scrambled(i) + 1) * 2; })) << n;
    EXPECT_EQ(values_of(z), filled<double>(n, [](auto i) { return (scrambled(i) + 1) * 3; })) << n;
    EXPECT_EQ(values_of(x), filled<double>(n, [](auto i) { return scrambled(i) + 1; })) << n;
  }
}

TEST(groups, a_store_in_place_is_seen_by_reductions) {
  for (std::size_t const n : sizes()) {
    auto const x = make(filled<float>(n, scrambled));
    scalar<double> const total("total");
    double squares = 99, least = 99;
    long above = 99;
    fuse(device(), "test", store(x, in(x) * 2.0f + 1.0f), onetrip::sum(total, x), onetrip::norm2_squared(squares, x),
         onetrip::min_of(least, x), onetrip::count(above, in(x) > 0.0f));
    double expected_total = 0, expected_squares = 0, expected_least = infinity;
    long expected_above = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double const v = 2 * scrambled(i) + 1;
      expected_total += v;
      expected_squares += v * v;
      expected_least = std::fmin(expected_least, v);
      expected_above += v > 0;
    }
    EXPECT_EQ(value_of(total), expected_total) << n;
    EXPECT_EQ(squares, expected_squares) << n;
    EXPECT_EQ(least, expected_least) << n;
    EXPECT_EQ(above, expected_above) << n;
    EXPECT_EQ(values_of(x), filled<float>(n, [](auto i) { return 2 * scrambled(i) + 1; })) << n;
  }
}

TEST(groups, reductions_alone_of_many_types_in_one_kernel) {
  for (std::size_t const n : sizes()) {
    auto const f = make(filled<float>(n, [](auto i) { return scrambled(i) + 0.5f; }));
    auto const k = make(filled<std::int16_t>(n, [](auto i) { return scrambled(3 * i) * 100; }));
    auto const z = make(filled<Kokkos::complex<double>>(
        n, [](auto i) { return Kokkos::complex<double>(scrambled(i), scrambled(i + 1)); }));
    auto const sum_f = make_scalar(99.0f);
    auto const sum_z = make_scalar(Kokkos::complex<double>(99, 99));
    auto const max_k = make_scalar(std::int16_t(99));
    auto const all_small = make_scalar(false);
    long sum_k = 99;
    std::int16_t min_k = 99;
    Kokkos::complex<double> dot_z(99, 99);
    double norm_z = 99;
    bool any_large = true;
    fuse(device(), "test", onetrip::sum(sum_f, f), onetrip::sum(sum_k, k), onetrip::sum(sum_z, z),
         onetrip::min_of(min_k, k), onetrip::max_of(max_k, k), onetrip::dot(dot_z, z, in(z) * 2.0),
         onetrip::norm2_squared(norm_z, z), onetrip::all(all_small, in(f) < 10.0f),
         onetrip::any(any_large, in(k) > 800));

    float expected_sum_f = 0;
    long expected_sum_k = 0;
    int least = std::numeric_limits<std::int16_t>::max(), greatest = std::numeric_limits<std::int16_t>::min();
    Kokkos::complex<double> expected_sum_z(0, 0);
    double norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
      int const v = scrambled(3 * i) * 100;
      expected_sum_f += static_cast<float>(scrambled(i)) + 0.5f; // exact: below 2^23
      expected_sum_k += v;
      least = std::min(least, v);
      greatest = std::max(greatest, v);
      expected_sum_z += Kokkos::complex<double>(scrambled(i), scrambled(i + 1));
      norm += scrambled(i) * scrambled(i) + scrambled(i + 1) * scrambled(i + 1);
    }
    EXPECT_EQ(value_of(sum_f), expected_sum_f) << n;
    EXPECT_EQ(sum_k, expected_sum_k) << n;
    EXPECT_EQ(value_of(sum_z), expected_sum_z) << n;
    EXPECT_EQ(min_k, least) << n;
    EXPECT_EQ(value_of(max_k), greatest) << n;
    EXPECT_EQ(dot_z, Kokkos::complex<double>(2 * norm, 0)) << n;
    EXPECT_EQ(norm_z, norm) << n;
    EXPECT_TRUE(value_of(all_small)) << n;
    EXPECT_FALSE(any_large) << n;
  }
}

TEST(groups, any_and_all_find_one_element) {
  for (std::size_t const n : sizes())
    for (std::size_t const one : {std::size_t{0}, n / 2, n - 1}) {
      if (n == 0)
        continue;
      auto values = filled<int>(n, [](auto) { return 7; });
      values[one] = 8;
      auto const x = make(values);
      bool any = false, all = true;
      std::uint64_t count = 99;
      fuse(device(), "test", onetrip::any(any, in(x) == 8), onetrip::all(all, in(x) == 7),
           onetrip::count(count, in(x) == 8));
      EXPECT_TRUE(any) << one << " of " << n;
      EXPECT_FALSE(all) << one << " of " << n;
      EXPECT_EQ(count, 1u) << one << " of " << n;
    }
}

/// Every reduction of a View without elements, into rank-0 Views and host variables that held 99.
template <class View, class Floats>
void expect_identities(View const& x, Floats const& f, char const* what) {
  auto const sum = make_scalar(99), least = make_scalar(99), greatest = make_scalar(99), count = make_scalar(99);
  auto const any = make_scalar(true), all = make_scalar(false);
  auto const least_float = make_scalar(99.0f);
  fuse(device(), "test", onetrip::sum(sum, x), onetrip::min_of(least, x), onetrip::max_of(greatest, x),
       onetrip::count(count, in(x) > 0), onetrip::any(any, in(x) > 0), onetrip::all(all, in(x) > 0),
       onetrip::min_of(least_float, f));
  EXPECT_EQ(value_of(sum), 0) << what;
  EXPECT_EQ(value_of(least), std::numeric_limits<int>::max()) << what;
  EXPECT_EQ(value_of(greatest), std::numeric_limits<int>::min()) << what;
  EXPECT_EQ(value_of(count), 0) << what;
  EXPECT_FALSE(value_of(any)) << what;
  EXPECT_TRUE(value_of(all)) << what;
  EXPECT_EQ(value_of(least_float), std::numeric_limits<float>::infinity()) << what;

  int dot = 99, norm = 99, host_count = 99;
  float greatest_float = 99;
  fuse(device(), "test", onetrip::dot(dot, x, x), onetrip::norm2_squared(norm, x),
       onetrip::count(host_count, in(x) > 0), onetrip::max_of(greatest_float, f));
  EXPECT_EQ(dot, 0) << what;
  EXPECT_EQ(norm, 0) << what;
  EXPECT_EQ(host_count, 0) << what;
  EXPECT_EQ(greatest_float, -std::numeric_limits<float>::infinity()) << what;
}

TEST(groups, reductions_of_nothing_are_the_identity) {
  expect_identities(array<int>("x", 0), array<float>("f", 0), "rank 1");
  expect_identities(array<int>(), array<float>(), "unallocated");
  // Parts of Views that have elements, none of which may count.
  Kokkos::View<int***, device> const x("x", 4, 5, 6);
  Kokkos::View<float***, device> const f("f", 4, 5, 6);
  Kokkos::deep_copy(x, 7);
  Kokkos::deep_copy(f, 7.0f);
  std::pair const none(2, 2), some(1, 4);
  auto const part = [&](auto a, auto b, auto c, char const* what) {
    expect_identities(Kokkos::subview(x, a, b, c), Kokkos::subview(f, a, b, c), what);
  };
  part(none, some, some, "first extent 0");
  part(some, none, some, "second extent 0");
  part(some, some, none, "third extent 0");
  part(none, none, some, "two extents 0");
}

TEST(groups, infinities_are_the_least_and_the_greatest) {
  for (std::size_t const n : {1, 7, 257, 1000}) {
    auto const up = make(filled<float>(n, [](auto) { return infinity; }));
    auto const down = make(filled<float>(n, [](auto) { return -infinity; }));
    float least = 0, greatest = 0, least_of_both = 0;
    fuse(device(), "test", onetrip::min_of(least, up), onetrip::max_of(greatest, down),
         onetrip::min_of(least_of_both, onetrip::where(onetrip::equal(up, 0.0f), up, down)));
    EXPECT_EQ(least, infinity);
    EXPECT_EQ(greatest, -infinity);
    EXPECT_EQ(least_of_both, -infinity);
  }
}

TEST(groups, nan_makes_sums_least_and_greatest_nan_wherever_it_stands) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{9}, std::size_t{257}, std::size_t{100'003}})
    for (std::size_t const where : {std::size_t{0}, n / 2, n - 1}) {
      auto values = filled<double>(n, scrambled);
      values[where] = std::nan("");
      auto const x = make(values);
      auto const least = make_scalar(99.0);
      double greatest = 99, total = 99;
      long nans = 99;
      fuse(device(), "test", onetrip::min_of(least, x), onetrip::max_of(greatest, x), onetrip::sum(total, x),
           onetrip::count(nans, onetrip::isnan(x)));
      EXPECT_TRUE(std::isnan(value_of(least))) << where << " of " << n;
      EXPECT_TRUE(std::isnan(greatest)) << where << " of " << n;
      EXPECT_TRUE(std::isnan(total)) << where << " of " << n;
      EXPECT_EQ(nans, 1) << where << " of " << n;
    }
}

TEST(groups, float_sums_accumulate_in_double) {
  std::size_t const n = (1 << 24) + 3; // in float, ones add up to no more than 2^24
  array<float> const ones("ones", n);
  Kokkos::deep_copy(ones, 1.0f);
  double total = 0;
  auto const rounded = make_scalar(0.0f);
  fuse(device(), "test", onetrip::sum(total, ones), onetrip::sum(rounded, ones));
  EXPECT_EQ(total, static_cast<double>(n));
  EXPECT_EQ(value_of(rounded), static_cast<float>(n));
}

TEST(groups, integer_sums_accumulate_in_64_bits) {
  std::size_t const n = 1000;
  auto const large = make(filled<int>(n, [](auto) { return 2'000'000'000; }));
  auto const bytes = make(filled<std::uint8_t>(n, [](auto) { return 255; }));
  std::int64_t total = 0;
  std::uint64_t total_of_bytes = 0;
  fuse(device(), "test", onetrip::sum(total, large), onetrip::sum(total_of_bytes, bytes));
  EXPECT_EQ(total, 2'000'000'000'000);
  EXPECT_EQ(total_of_bytes, 255'000u);
}

TEST(groups, scalars_may_come_from_the_kernel_before) {
  std::size_t const n = 1000;
  auto const x = make(filled<double>(n, scrambled));
  array<double> const y("y", n);
  scalar<double> const rr("rr"), alpha("alpha");
  fuse(device(), "dot", onetrip::sum(rr, in(x)*x));
  fuse(device(), "alpha", store(alpha, in(rr) / 2.0));
  fuse(device(), "axpy", store(y, in(x) + in(alpha) * 3.0));
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i)
    squares += scrambled(i) * scrambled(i);
  EXPECT_EQ(values_of(y), filled<double>(n, [&](auto i) { return scrambled(i) + squares / 2 * 3; }));
}

TEST(groups, rank_0_outputs_are_seen_by_later_statements) {
  auto const s = make_scalar(3), t = make_scalar(99);
  fuse(device(), "test", store(s, in(s) + 1), store(t, in(s) * 10));
  EXPECT_EQ(value_of(s), 4);
  EXPECT_EQ(value_of(t), 40);
}

TEST(groups, many_outputs_of_many_types) {
  std::size_t const n = 515;
  auto const a = make(filled<std::int8_t>(n, scrambled));
  array<double> const d("d", n);
  array<float> const f("f", n);
  array<std::int64_t> const k("k", n);
  array<std::uint8_t> const u("u", n);
  array<bool> const b("b", n);
  array<Kokkos::complex<float>> const z("z", n);
  fuse(device(), "test", store(d, in(a) * 0.5), store(f, in(a)), store(k, in(a)*in(k) + in(a)),
       store(u, onetrip::cast<std::uint8_t>(in(a) + std::int8_t(100))), store(b, in(f) > 0.0f),
       store(z, in(f)*Kokkos::complex<float>(2, 3)));
  EXPECT_EQ(values_of(d), filled<double>(n, [](auto i) { return scrambled(i) * 0.5; }));
  EXPECT_EQ(values_of(f), filled<float>(n, scrambled));
  EXPECT_EQ(values_of(k), filled<std::int64_t>(n, scrambled));
  EXPECT_EQ(values_of(u), filled<std::uint8_t>(n, [](auto i) { return scrambled(i) + 100; }));
  EXPECT_EQ(values_of(b), filled<bool>(n, [](auto i) { return scrambled(i) > 0; }));
  EXPECT_EQ(values_of(z), filled<Kokkos::complex<float>>(
                              n, [](auto i) { return Kokkos::complex<float>(2 * scrambled(i), 3 * scrambled(i)); }));
}

TEST(groups, reductions_over_subviews_and_broadcasts_count_each_element_once) {
  Kokkos::View<int**, device> const parent("parent", 40, 300);
  fuse(device(), "fill", store(parent, onetrip::cast<int>(onetrip::index<0>() * 1000 + onetrip::index<1>())));
  auto const part = Kokkos::subview(parent, std::pair(3, 20), std::pair(5, 270));
  auto const row = Kokkos::subview(parent, 1, std::pair(5, 270)); // values 1005 to 1269
  long total = 0, weighted = 0, elements = 0;
  int greatest = 0;
  fuse(device(), "test", onetrip::sum(total, part), onetrip::sum(weighted, in(part)*in(row)),
       onetrip::count(elements, in(part) >= 0), onetrip::max_of(greatest, part));
  long expected_total = 0, expected_weighted = 0;
  for (long i = 3; i < 20; ++i)
    for (long j = 5; j < 270; ++j) {
      expected_total += 1000 * i + j;
      expected_weighted += (1000 * i + j) * (1000 + j);
    }
  EXPECT_EQ(total, expected_total);
  EXPECT_EQ(weighted, expected_weighted);
  EXPECT_EQ(elements, 17 * 265);
  EXPECT_EQ(greatest, 19269);
}

} // namespace
