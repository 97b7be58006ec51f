// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve.hpp"

#include <heat1d/boundary.hpp>
#include <heat1d/initial.hpp>
#include <heat1d/march.hpp>
#include <heat1d/mirror.hpp>
#include <heat1d/region.hpp>
#include <heat1d/resident.hpp>
#include <heat1d/serial.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace heat1d_test {

namespace {

using heat1d::boundary;
using heat1d::name_of;

/// The program's own serial loop, in the shape of a variant.
template <class T>
struct serial_variant {
  explicit serial_variant(std::size_t cells) : u("u", cells) {}

  template <class Ends>
  void run(std::int64_t steps, T r, Ends ends) {
    std::vector<T> const end = heat1d::serial(std::vector<T>(u.data(), u.data() + u.size()), steps, r, ends);
    std::copy(end.begin(), end.end(), u.data());
  }

  heat1d::host_array<T> u;
};

template <class Variant>
class heat1d_variants : public testing::Test {};

using variants =
    testing::Types<heat1d::mirror<float>, heat1d::mirror<double>, heat1d::resident<float>, heat1d::resident<double>,
                   heat1d::region_per_step<float>, heat1d::region<double>, heat1d::march<float>, heat1d::march<double>,
                   serial_variant<float>, serial_variant<double>>;
TYPED_TEST_SUITE(heat1d_variants, variants);

template <class T>
std::vector<T> random_state(std::size_t cells) {
  return heat1d::first_state<T>(heat1d::random_values{cells}, cells, {});
}

/// 1 in the middle, else 0.
template <class T>
std::vector<T> delta(std::size_t cells) {
  std::vector<T> u(cells);
  u[cells / 2] = 1;
  return u;
}

/// Whole numbers times 4^steps: at r = 1/4 they stay whole.
template <class T>
std::vector<T> whole_numbers(std::size_t cells, int steps) {
  std::vector<T> u(cells);
  for (std::size_t i = 0; i < cells; ++i)
    u[i] = std::ldexp(static_cast<T>(static_cast<int>(i * i % 17) - 5), 2 * steps);
  return u;
}

/// C(2k, m) / 4^k, row by row of Pascal's triangle in whole numbers.
double binomial_share(int k, int m) {
  std::vector<std::uint64_t> row{1};
  for (int n = 0; n < 2 * k; ++n) {
    row.push_back(0);
    for (std::size_t j = row.size() - 1; j > 0; --j)
      row[j] += row[j - 1];
  }
  return m < 0 || m > 2 * k ? 0 : std::ldexp(static_cast<double>(row[static_cast<std::size_t>(m)]), -2 * k);
}

TYPED_TEST(heat1d_variants, equal_a_serial_loop_bit_for_bit) {
  using T = value_of<TypeParam>;
  for (boundary const& ends : all_boundaries())
    for (std::size_t const cells : {3, 4, 5, 7, 64, 101, 1023, 1024, 1025}) {
      std::vector<T> const start = random_state<T>(cells);
      for (std::int64_t const steps : {0, 1, 2, 3, 20, 21})
        for (T const r : {T(0.3), T(0.5)})
          EXPECT_EQ(solve<TypeParam>(start, steps, r, ends), expected(start, steps, r, name_of(ends)))
              << name_of(ends) << ", " << cells << " cells, " << steps << " steps, r " << r;
    }
}

TYPED_TEST(heat1d_variants, equal_a_serial_loop_where_threads_share_the_work) {
  using T = value_of<TypeParam>;
  std::vector<T> const start = random_state<T>(std::size_t{1} << 20);
  for (boundary const& ends : all_boundaries())
    EXPECT_TRUE(solve<TypeParam>(start, 3, T(0.3), ends) == expected(start, 3, T(0.3), name_of(ends))) << name_of(ends);
}

TYPED_TEST(heat1d_variants, can_run_again) {
  using T = value_of<TypeParam>;
  std::vector<T> const start = random_state<T>(100);
  TypeParam variant(start.size());
  for (std::int64_t const steps : {3, 0, 2, 3})
    EXPECT_EQ(solve(variant, start, steps, T(0.25), heat1d::fixed_ends{}), expected(start, steps, T(0.25), "fixed"));
}

TYPED_TEST(heat1d_variants, damp_the_lowest_mode_by_its_factor) {
  using T = value_of<TypeParam>;
  constexpr double pi = std::numbers::pi;
  constexpr std::size_t cells = 33;
  constexpr int steps = 51;
  T const r = T(0.3);
  for (boundary const& ends : all_boundaries()) {
    std::string const name = name_of(ends);
    double const angle = name == "fixed" ? pi / (cells - 1) : name == "insulated" ? pi / cells : 2 * pi / cells;
    double const factor = std::pow(1 - 2 * double(r) * (1 - std::cos(angle)), steps);
    std::vector<T> const start = heat1d::first_state<T>(heat1d::sine{}, cells, ends);
    std::vector<T> const end = solve<TypeParam>(start, steps, r, ends);
    for (std::size_t i = 0; i < cells; ++i) {
      double const place = static_cast<double>(i);
      double const mode = name == "insulated" ? std::cos(angle * (place + 0.5)) : std::sin(angle * place);
      EXPECT_NEAR(end[i], factor * mode, 50 * std::numeric_limits<T>::epsilon()) << name << ", cell " << i;
    }
  }
}

TYPED_TEST(heat1d_variants, spread_a_delta_as_binomial_coefficients) {
  using T = value_of<TypeParam>;
  for (int const steps : {1, 2, std::numeric_limits<T>::digits / 2}) { // all exact up to there
    auto const cells = static_cast<std::size_t>(2 * steps + 11);
    for (boundary const& ends : all_boundaries()) {
      std::vector<T> const end = solve<TypeParam>(delta<T>(cells), steps, T(0.25), ends);
      for (std::size_t i = 0; i < cells; ++i) {
        int const distance = static_cast<int>(i) - static_cast<int>(cells / 2);
        EXPECT_EQ(end[i], binomial_share(steps, steps + distance))
            << name_of(ends) << ", " << steps << " steps, cell " << i;
      }
    }
  }
}

TYPED_TEST(heat1d_variants, keep_linear_data_between_fixed_ends) {
  using T = value_of<TypeParam>;
  std::vector<T> start(1000);
  for (std::size_t i = 0; i < start.size(); ++i)
    start[i] = T(3) * static_cast<T>(i) - T(7);
  EXPECT_EQ(solve<TypeParam>(start, 101, T(0.3), heat1d::fixed_ends{}), start);
}

TYPED_TEST(heat1d_variants, keep_the_values_of_fixed_ends_even_a_negative_zero) {
  using T = value_of<TypeParam>;
  std::vector<T> const end = solve<TypeParam>({T(-0.0), T(1), T(-0.0)}, 3, T(0.25), heat1d::fixed_ends{});
  EXPECT_EQ(end.front(), 0);
  EXPECT_TRUE(std::signbit(end.front()));
  EXPECT_TRUE(std::signbit(end.back()));
}

TYPED_TEST(heat1d_variants, keep_the_sum_where_nothing_leaves) {
  using T = value_of<TypeParam>;
  constexpr int steps = std::numeric_limits<T>::digits / 2 - 4;
  for (std::size_t const cells : {3, 4, 100, 1025})
    for (boundary const& ends : {boundary(heat1d::insulated_ends{}), boundary(heat1d::periodic_ends{})}) {
      std::vector<T> const start = whole_numbers<T>(cells, steps);
      std::vector<T> const end = solve<TypeParam>(start, steps, T(0.25), ends);
      EXPECT_NE(end, start);
      EXPECT_EQ(std::accumulate(end.begin(), end.end(), 0.0), std::accumulate(start.begin(), start.end(), 0.0))
          << name_of(ends) << ", " << cells << " cells";

      std::vector<T> const noise = random_state<T>(cells);
      std::vector<T> const smooth = solve<TypeParam>(noise, 100, T(0.3), ends);
      EXPECT_NEAR(std::accumulate(smooth.begin(), smooth.end(), 0.0), std::accumulate(noise.begin(), noise.end(), 0.0),
                  static_cast<double>(cells) * 100 * std::numeric_limits<T>::epsilon())
          << name_of(ends) << ", " << cells << " cells";
    }
}

} // namespace

} // namespace heat1d_test
