// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/cases.hpp>
#include <fusion/check.hpp>
#include <fusion/options.hpp>
#include <fusion/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
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

TYPED_TEST(fusion_variants, NormIsTheExactSum) {
  using T = TypeParam;
  for (std::size_t const size : sizes) {
    auto const x = fusion::make_arrays<T>(size, true);
    long double exact = 0; // has room for every square here
    for (std::size_t i = 0; i < size; ++i) {
      auto const index = static_cast<std::int64_t>(i);
      long double const mean = (fusion::input<double>(0, index) + fusion::input<double>(1, index)) / 2;
      exact += mean * mean;
    }
    EXPECT_DOUBLE_EQ(fusion::norm_expected(static_cast<std::int64_t>(size)), static_cast<double>(exact));
    for (auto const& v : fusion::norm_variants(x)) {
      fusion::poison(x);
      v.run();
      double const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, x.result)();
      EXPECT_LE(std::abs(found - static_cast<double>(exact)), v.tolerance * found) << v.name << " of " << size;
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
  for (auto const& v : fusion::norm_variants(x)) // of one number
    EXPECT_LE(v.tolerance, std::numeric_limits<T>::epsilon()) << v.name;
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
  for (auto const& v : fusion::norm_case<T>{x}.variants())
    v.run();
  auto const y = fusion::make_adamw_arrays(100, true);
  fusion::reset(y);
  for (auto const& v : fusion::adamw_variants(y))
    v.run();
  onetrip::account const seen = recorder.so_far();
  EXPECT_GE(seen.of(onetrip::kind::kernel).count, 3u + 5u + 3u + 1u + 1u + 4u + 1u + 1u + 7u + 22u);
  std::set<std::string> const ours{"onetrip::assign::store", "onetrip::fuse::norm", "onetrip::fuse::adamw"};
  for (std::string const& label : test_support::foreign_labels(seen, "fusion"))
    EXPECT_TRUE(ours.contains(label)) << label;
}

TYPED_TEST(fusion_variants, NormsKernelsAndTraffic) {
  auto const x = fusion::make_arrays<TypeParam>(100, true);
  using counts = std::tuple<std::size_t, std::size_t, std::size_t>; // kernels, arrays read, arrays written
  std::map<std::string, counts> const expected{
      {"unfused", {4, 5, 3}}, {"kernels", {2, 3, 1}}, {"fused", {1, 2, 0}}, {"expression", {1, 2, 0}}};
  EXPECT_EQ(names_of(fusion::norm_variants(x)), fusion::built_variants());
  for (auto const& v : fusion::norm_variants(x))
    EXPECT_EQ(counts(fusion::count_kernels(v.run), v.arrays.read, v.arrays.written), expected.at(v.name)) << v.name;
}

/// AdamW as its paper has it, in long double, with all scalars by themselves.
std::array<long double, 3> adamw_by_hand(std::int64_t i) {
  long double const g = fusion::input<double>(0, i), theta = fusion::input<double>(1, i);
  long double const m = 0.9L * fusion::input<double>(2, i) + 0.1L * g;
  long double const v = 0.999L * fusion::input<double>(3, i) + 0.001L * g * g;
  long double const m_hat = m / (1 - std::pow(0.9L, 10)), v_hat = v / (1 - std::pow(0.999L, 10));
  return {m, v, theta - 0.001L * (m_hat / (std::sqrt(v_hat) + 1e-8L) + 0.01L * theta)};
}

TEST(Adamw, IsTheStepByHand) {
  for (std::size_t const size : sizes) {
    auto const x = fusion::make_adamw_arrays(size, true);
    for (auto const& v : fusion::adamw_variants(x)) {
      fusion::reset(x);
      v.run();
      auto const found = {x.m, x.v, x.parameter};
      for (std::size_t i = 0; i < size; i += 1 + i / 100) {
        auto const expected = adamw_by_hand(static_cast<std::int64_t>(i));
        int part = 0;
        for (auto const& view : found) {
          auto const value = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, Kokkos::subview(view, i))();
          ASSERT_NEAR(value, expected[part], v.tolerance * expected[part]) << v.name << " at " << i << " of " << size;
          ++part;
        }
      }
    }
  }
}

TEST(Adamw, IsExpectedInDouble) {
  using array = fusion::adamw_answer::array;
  for (std::int64_t i = 0; i < 1000; ++i) {
    auto const expected = adamw_by_hand(i);
    int part = 0;
    for (array const which : {array::m, array::v, array::parameter})
      EXPECT_NEAR(fusion::adamw_answer{which}(i), expected[part++], 1e-14);
  }
}

TEST(Adamw, KernelsAndTraffic) {
  auto const x = fusion::make_adamw_arrays(100, true);
  fusion::reset(x);
  using counts = std::tuple<std::size_t, std::size_t, std::size_t>; // kernels, arrays read, arrays written
  std::map<std::string, counts> const expected{
      {"unfused", {16, 21, 16}}, {"kernels", {3, 7, 3}}, {"fused", {1, 4, 3}}, {"expression", {1, 4, 3}}};
  EXPECT_EQ(names_of(fusion::adamw_variants(x)), fusion::built_variants());
  for (auto const& v : fusion::adamw_variants(x))
    EXPECT_EQ(counts(fusion::count_kernels(v.run), v.arrays.read, v.arrays.written), expected.at(v.name)) << v.name;
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
