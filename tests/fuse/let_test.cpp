// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fuse/arrays.hpp"

// Named values, and operators between Views.

namespace {

using namespace fuse_tests;
using onetrip::fuse;
using onetrip::in;
using onetrip::let;
using onetrip::store;

TEST(let, is_computed_once_and_keeps_its_value) {
  for (std::size_t const n : sizes()) {
    auto const xs = filled<double>(n, scrambled), ys = filled<double>(n, [](auto i) { return scrambled(i + 3); });
    auto const x = make(xs), y = make(ys);
    auto const difference = let<"difference">(in(x)-y);
    double total = 0;
    fuse(device(), "test", store(x, difference * difference), store(y, difference + x),
         onetrip::sum(total, difference));
    auto expected_x = xs, expected_y = ys;
    double expected_total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double const d = xs[i] - ys[i];
      expected_x[i] = d * d;
      expected_y[i] = d + expected_x[i];
      expected_total += d;
    }
    EXPECT_EQ(values_of(x), expected_x);
    EXPECT_EQ(values_of(y), expected_y);
    EXPECT_EQ(total, expected_total);
  }
}

/// Counts its calls, where the test runs on the host.
struct counted {
  int* calls;
  KOKKOS_FUNCTION double operator()(double x) const {
    Kokkos::atomic_inc(calls);
    return x + 1;
  }
};

TEST(let, of_a_function_calls_it_once_for_each_element) {
  Kokkos::View<int, device> const calls("calls");
  auto const x = make(filled<double>(1000, scrambled));
  array<double> const y("y", 1000), z("z", 1000);
  auto const e = let<"e">(onetrip::map(counted{calls.data()}, x));
  auto const twice = let<"twice">(e * 2.0); // a name in a name
  fuse(device(), "test", store(y, e + e), store(z, twice - e), store(x, twice));
  EXPECT_EQ(value_of(calls), 1000);
  EXPECT_EQ(values_of(y), values_of(x));
  EXPECT_EQ(values_of(z), filled<double>(1000, [](auto i) { return scrambled(i) + 1; }));
}

TEST(let, of_other_types_broadcasts_as_an_expression_does) {
  Kokkos::View<float**, device> const m("m", 30, 300);
  array<int> const row = make(filled<int>(300, scrambled));
  auto const positive = let<"positive">(in(row) > 0);
  int count = 0;
  fuse(device(), "test", store(m, onetrip::where(positive, 1.5f, -1.5f)),
       onetrip::count(count, onetrip::both(positive, in(m) > 0)));
  int expected = 0;
  for (int const v : values_of(row))
    expected += 30 * (v > 0);
  EXPECT_EQ(count, expected);
}

TEST(let, one_name_for_other_operands_is_an_error) {
  auto const x = make<double>({1}), y = make<double>({2});
  auto const of = [](auto const& v, double factor) { return let<"e">(in(v)*factor); };
  auto const message = [&](auto const& a, auto const& b) -> std::string {
    try {
      fuse(device(), "test", store(x, a), store(y, b));
    } catch (onetrip::error const& e) {
      return e.what();
    }
    return "";
  };
  std::string const expected = "onetrip::fuse: the name 'e' stands for one formula of different operands";
  EXPECT_EQ(message(of(x, 2), of(y, 2)), expected);
  EXPECT_EQ(message(of(x, 2), of(x, 3)), expected);
  EXPECT_EQ(values_of(x), std::vector<double>{1});
  EXPECT_EQ(message(of(x, 2), of(x, 2)), "");
  EXPECT_EQ(values_of(y), std::vector<double>{2});
}

TEST(operators, between_views_make_expressions) {
  using namespace onetrip::operators;
  auto const a = make<double>({1, 2, 3}), b = make<double>({4, 5, 6}), out = make<double>({0, 0, 0});
  auto const k = make<int>({7, 8, 9});
  onetrip::assign(device(), out, (a + b) * a / 2.0 - -b + 1.0 * (+a - b));
  EXPECT_EQ(values_of(out), (std::vector<double>{2.5 + 4 - 3, 7 + 5 - 3, 13.5 + 6 - 3}));
  onetrip::assign(device(), out, onetrip::where(a < 2.0, 1.0, onetrip::where(3.0 <= a, 3.0, 2.0)));
  EXPECT_EQ(values_of(out), (std::vector<double>{1, 2, 3}));
  onetrip::assign(device(), k, k % 4);
  EXPECT_EQ(values_of(k), (std::vector<int>{3, 0, 1}));
  onetrip::assign(device(), out, onetrip::where(!(a > b), 5.0, 6.0));
  EXPECT_EQ(values_of(out), (std::vector<double>{5, 5, 5}));
  EXPECT_TRUE(a == a); // Kokkos' own
}

} // namespace

namespace user_with_operators {

struct vec {};
[[maybe_unused]] vec operator+(vec, vec) { return {}; }

TEST(operators, that_are_hidden_come_by_a_using_declaration) {
  using onetrip::operators::operator+;
  auto const a = fuse_tests::make<double>({1, 2});
  onetrip::assign(fuse_tests::device(), a, a + a);
  EXPECT_EQ(fuse_tests::values_of(a), (std::vector<double>{2, 4}));
}

} // namespace user_with_operators
