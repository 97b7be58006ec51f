// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "march/cases.hpp"

// What mathematics says of the heat equation.

namespace {

using namespace march_tests;

template <class T>
class march_exact : public testing::Test {};

using types = testing::Types<float, double>;
TYPED_TEST_SUITE(march_exact, types);

TYPED_TEST(march_exact, a_delta_becomes_binomial_coefficients_wherever_it_stands) {
  using T = TypeParam;
  constexpr int steps = std::numeric_limits<T>::digits / 2; // exact up to there
  std::vector<double> row{1};
  for (int k = 0; k < 2 * steps; ++k) {
    row.push_back(0);
    for (std::size_t j = row.size() - 1; j > 0; --j)
      row[j] = (row[j] + row[j - 1]) / 2;
    row[0] /= 2;
  }
  constexpr std::size_t points = 2500;
  for (std::size_t const place :
       {std::size_t{40}, std::size_t{511}, std::size_t{512}, std::size_t{1100}, points - 41}) {
    std::vector<T> start(points);
    start[place] = 1;
    std::vector<T> const end = marched(start, steps, heat<T>{T(0.25)}, onetrip::fixed_ends{}, {});
    for (std::size_t i = 0; i < points; ++i) {
      std::size_t const j = i + steps - place;
      ASSERT_EQ(end[i], i + steps >= place && j < row.size() ? row[j] : 0) << place << ", " << i;
    }
  }
}

TYPED_TEST(march_exact, the_lowest_mode_is_damped_by_its_factor) {
  using T = TypeParam;
  constexpr std::size_t points = 3001;
  constexpr int steps = 1000;
  double const angle = std::numbers::pi / (points - 1);
  std::vector<T> start(points);
  for (std::size_t i = 0; i < points; ++i)
    start[i] = static_cast<T>(i + 1 == points ? 0 : std::sin(angle * static_cast<double>(i)));
  double const factor = std::pow(1 - 4 * 0.25 * std::pow(std::sin(angle / 2), 2), steps);
  std::vector<T> const end = marched(start, steps, heat<T>{T(0.25)}, onetrip::fixed_ends{}, {});
  for (std::size_t i = 0; i < points; ++i)
    ASSERT_NEAR(end[i], factor * static_cast<double>(start[i]), 0.5 * steps * std::numeric_limits<T>::epsilon());
}

TYPED_TEST(march_exact, linear_data_stays) {
  using T = TypeParam;
  std::vector<T> start(4000);
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = T(3) * static_cast<T>(i) - T(7);
  EXPECT_EQ(marched(start, 333, heat<T>{T(0.3)}, onetrip::fixed_ends{}, {}), start);
}

TYPED_TEST(march_exact, what_insulated_and_periodic_ends_keep_is_the_sum) {
  using T = TypeParam;
  std::vector<T> start(3000);
  start[0] = start[1234] = start[2999] = T(1 << 20);
  for (bool const periodic : {false, true}) {
    std::vector<T> const end = periodic ? marched(start, 10, heat<T>{T(0.25)}, onetrip::periodic_ends{}, {})
                                        : marched(start, 10, heat<T>{T(0.25)}, onetrip::insulated_ends{}, {});
    double sum = 0;
    for (T const u : end)
      sum += static_cast<double>(u);
    EXPECT_EQ(sum, 3.0 * (1 << 20));
  }
}

TYPED_TEST(march_exact, a_nan_and_an_infinity_spread_a_point_a_step) {
  using T = TypeParam;
  for (T const bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    constexpr std::size_t place = 1500;
    constexpr std::size_t steps = 70;
    std::vector<T> start(3000, T(1));
    start[place] = bad;
    std::vector<T> const end = marched(start, steps, heat<T>{T(0.25)}, onetrip::fixed_ends{}, {});
    for (std::size_t i = 0; i < start.size(); ++i)
      EXPECT_EQ(std::isfinite(end[i]), i + steps < place || i > place + steps) << i;
  }
}

/// As one writes it: a compiler may contract one of two products, and choose another in another loop.
struct burgers {
  double c;

  KOKKOS_FUNCTION double operator()(double left, double centre, double right) const {
    return centre - c * (0.5 * right * right - 0.5 * left * left) + 0.01 * (left - 2 * centre + right);
  }
};

TEST(march_contract, a_rule_with_bare_products_is_equal_to_rounding) {
  std::vector<double> start(5000);
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = 0.5 + 0.4 * std::sin(0.01 * static_cast<double>(i));
  constexpr int steps = 100;
  auto const in_tiles = marched(start, steps, burgers{0.1}, onetrip::periodic_ends{}, {});
  auto const stepped =
      marched(start, steps, burgers{0.1}, onetrip::periodic_ends{}, {.path = onetrip::march_path::stepping});
  for (std::size_t i = 0; i < start.size(); ++i)
    EXPECT_NEAR(in_tiles[i], stepped[i], 4 * steps * std::numeric_limits<double>::epsilon());
  RecordProperty("points_that_differ", std::to_string(differences(in_tiles, stepped)));
}

} // namespace
