// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/chain.hpp>
#include <fusion/check.hpp>
#include <fusion/options.hpp>
#include <fusion/run.hpp>
#include <fusion/scaled_sum.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/labels.hpp"

namespace {

constexpr std::size_t sizes[] = {1, 3, 1001, 65535, 65536, 65537};

template <class T>
std::vector<T> random_values(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<T> distribution(-10, 10);
  std::vector<T> values(size);
  for (T& value : values)
    value = distribution(generator);
  return values;
}

template <class T>
void upload(fusion::array<T> const& to, std::vector<T> const& from) {
  Kokkos::deep_copy(to, Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from.data(), from.size()));
}

/// What the variant leaves in `out`.
template <class T>
std::vector<T> answer_of(fusion::variant const& v, fusion::arrays<T> const& x) {
  fusion::poison(x);
  v.run();
  auto const out = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, x.out);
  return {out.data(), out.data() + out.size()};
}

std::vector<std::string> names_of(std::vector<fusion::variant> const& variants) {
  std::vector<std::string> names;
  for (auto const& v : variants)
    names.push_back(v.name);
  return names;
}

template <class T>
class fusion_variants : public testing::Test {};

using value_types = testing::Types<float, double>;
TYPED_TEST_SUITE(fusion_variants, value_types);

TYPED_TEST(fusion_variants, ScaledSumIsTheSerialAnswer) {
  using T = TypeParam;
  for (std::size_t const size : sizes) {
    auto const x = fusion::make_arrays<T>(size, true);
    auto const a = random_values<T>(size, 1), b = random_values<T>(size, 2), c = random_values<T>(size, 3);
    upload(x.a, a);
    upload(x.b, b);
    upload(x.c, c);
    for (auto const& v : fusion::scaled_sum_variants(x)) {
      auto const answer = answer_of(v, x);
      for (std::size_t i = 0; i < size; ++i) {
        T const expected = (a[i] + b[i]) * c[i] / 3;
        double const allowed = v.tolerance * std::abs(expected);
        ASSERT_LE(std::abs(double(answer[i]) - double(expected)), allowed) << v.name << " at " << i << " of " << size;
      }
    }
  }
}

TYPED_TEST(fusion_variants, ChainIsTheSerialAnswer) {
  using T = TypeParam;
  for (std::size_t const size : sizes)
    for (int const ops : {1, 2, 4, 8, 16, 31, 32}) {
      auto const x = fusion::make_arrays<T>(size, false);
      auto const a = random_values<T>(size, 4);
      upload(x.a, a);
      for (auto const& v : fusion::chain_variants(x, ops)) {
        auto const answer = answer_of(v, x);
        for (std::size_t i = 0; i < size; ++i) {
          T expected = a[i];
          for (int op = 0; op < ops; ++op)
            expected = std::fma(T(0.9), expected, T(0.15));
          ASSERT_EQ(answer[i], expected) << v.name << " at " << i << " of " << size << ", ops " << ops;
        }
      }
    }
}

TYPED_TEST(fusion_variants, TheInputsOfTheProgramGiveTheirExpectedAnswers) {
  using T = TypeParam;
  std::size_t const size = 1001;
  auto const x = fusion::make_arrays<T>(size, true);
  for (auto const& v : fusion::scaled_sum_variants(x)) {
    auto const answer = answer_of(v, x);
    for (std::size_t i = 0; i < size; ++i)
      ASSERT_NEAR(answer[i], fusion::scaled_sum_expected<T>(i), v.tolerance * answer[i]) << v.name << " at " << i;
  }
  for (auto const& v : fusion::chain_variants(x, 5)) {
    auto const answer = answer_of(v, x);
    for (std::size_t i = 0; i < size; ++i)
      ASSERT_EQ(answer[i], fusion::chain_expected<T>(5, i)) << v.name << " at " << i;
  }
}

TYPED_TEST(fusion_variants, OnlyTheLambdasMustGiveTheSameBits) {
  using T = TypeParam;
  auto const x = fusion::make_arrays<T>(1, true);
  for (auto const& v : fusion::scaled_sum_variants(x))
    EXPECT_EQ(v.tolerance, v.name == "kernels" ? 2.0 * std::numeric_limits<T>::epsilon() : 0) << v.name;
  for (auto const& v : fusion::chain_variants(x, 2))
    EXPECT_EQ(v.tolerance, 0) << v.name;
}

TYPED_TEST(fusion_variants, KernelsAndTraffic) {
  using T = TypeParam;
  auto const x = fusion::make_arrays<T>(100, true);
  EXPECT_EQ(names_of(fusion::scaled_sum_variants(x)), fusion::built_variants());
  for (auto const& v : fusion::scaled_sum_variants(x)) {
    bool const fused = v.name == "fused" || v.name == "expression";
    EXPECT_EQ(fusion::count_kernels(v.run), fused ? 1u : 3u) << v.name;
    EXPECT_EQ(v.arrays.read, fused ? 3u : 5u) << v.name;
    EXPECT_EQ(v.arrays.written, fused ? 1u : 3u) << v.name;
  }
  for (std::size_t const ops : {1, 2, 4, 8, 16, 31, 32}) {
    auto const variants = fusion::chain_variants(x, static_cast<int>(ops));
    EXPECT_EQ(names_of(variants), std::vector<std::string>({"unfused", "fused", "expression"}));
    for (auto const& v : variants) {
      std::size_t const expected = v.name == "unfused" ? ops : 1;
      EXPECT_EQ(fusion::count_kernels(v.run), expected) << v.name;
      EXPECT_EQ(v.arrays.read, expected) << v.name;
      EXPECT_EQ(v.arrays.written, expected) << v.name;
    }
  }
}

TYPED_TEST(fusion_variants, LabelsTellTheProgramThePartAndTheStep) {
  using T = TypeParam;
  onetrip::recorder const recorder;
  auto const x = fusion::make_arrays<T>(100, true);
  for (auto const& v : fusion::scaled_sum_variants(x)) {
    answer_of(v, x);
    fusion::largest_difference(x.out, fusion::scaled_sum_expected<T>, 1, v.name);
  }
  for (int const ops : {3, 4})
    for (auto const& v : fusion::chain_variants(x, ops))
      answer_of(v, x);
  onetrip::account const seen = recorder.so_far();
  EXPECT_GE(seen.of(onetrip::kind::kernel).count, 3u + 5u + 3u + 1u + 1u + 4u + 1u + 1u);
  for (std::string const& label : test_support::foreign_labels(seen, "fusion"))
    EXPECT_EQ(label, "onetrip::assign::store");
}

TEST(Inputs, VaryAndAreTheSameInEveryType) {
  std::set<double> seen;
  for (int which = 0; which < 3; ++which)
    for (std::int64_t i = 0; i < 1000; ++i) {
      double const value = fusion::input<double>(which, i);
      EXPECT_GE(value, 1);
      EXPECT_LT(value, 2);
      EXPECT_EQ(fusion::input<float>(which, i), value);
      seen.insert(value);
    }
  EXPECT_GT(seen.size(), 2900u);
  EXPECT_NE(fusion::input<double>(0, 0), fusion::input<double>(0, std::int64_t{1} << 31));
}

TEST(Arrays, TemporariesAreThereOnlyWhereNeeded) {
  auto const with = fusion::make_arrays<float>(10, true);
  auto const without = fusion::make_arrays<float>(10, false);
  EXPECT_EQ(fusion::array_count(true), 6u);
  EXPECT_EQ(fusion::array_count(false), 4u);
  EXPECT_EQ(with.sum.size() + with.product.size(), 20u);
  EXPECT_EQ(without.sum.size() + without.product.size(), 0u);
  EXPECT_EQ(with.out.label(), "fusion::arrays::out");
}

} // namespace
