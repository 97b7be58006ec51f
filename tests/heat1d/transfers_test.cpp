// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve.hpp"

#include <heat1d/mirror.hpp>
#include <heat1d/region.hpp>
#include <heat1d/resident.hpp>

#include <onetrip/onetrip.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/labels.hpp"

namespace heat1d_test {

namespace {

constexpr std::size_t cells = 1001;

/// What Kokkos did in a run of `steps` steps.
template <class Variant>
onetrip::account watched(std::int64_t steps) {
  using T = value_of<Variant>;
  Variant variant(cells);
  onetrip::recorder recorder;
  if constexpr (requires { variant.device_u; }) {
    recorder.stand_in(variant.device_u);
    recorder.stand_in(variant.device_v);
  }
  solve(variant, std::vector<T>(cells, T(1)), steps, T(0.25), heat1d::periodic_ends{});
  return recorder.so_far();
}

/// The user's fences, and kernels with any other label than this.
std::size_t strays(onetrip::account const& account, std::string_view label) {
  auto const stray = account.total([&](onetrip::record const& r) {
    return r.what == onetrip::kind::fence || (r.what == onetrip::kind::kernel && r.label != label);
  });
  return stray.count;
}

template <class T>
class heat1d_transfers : public testing::Test {};

using types = testing::Types<float, double>;
TYPED_TEST_SUITE(heat1d_transfers, types);

TYPED_TEST(heat1d_transfers, of_mirror_are_four_whole_arrays_a_step) {
  for (std::size_t const steps : {0, 1, 2, 3, 100}) {
    auto const account = watched<heat1d::mirror<TypeParam>>(static_cast<std::int64_t>(steps));
    onetrip::tally const each_way{2 * steps, 2 * steps * cells * sizeof(TypeParam)};
    EXPECT_EQ(account.transfers(onetrip::to_device), each_way) << account;
    EXPECT_EQ(account.transfers(onetrip::to_host), each_way) << account;
    EXPECT_EQ(account.of(onetrip::kind::transfer).count, 4 * steps) << account;
    EXPECT_EQ(account.of(onetrip::kind::kernel).count, steps) << account;
    EXPECT_EQ(account.of(onetrip::kind::allocation).count, 0u) << account;
    EXPECT_EQ(strays(account, "heat1d::mirror::step"), 0u) << account;
  }
}

TYPED_TEST(heat1d_transfers, of_resident_are_two_in_all_with_no_fence_between_steps) {
  for (std::size_t const steps : {0, 1, 2, 3, 100}) {
    auto const account = watched<heat1d::resident<TypeParam>>(static_cast<std::int64_t>(steps));
    onetrip::tally const one_array{1, cells * sizeof(TypeParam)};
    EXPECT_EQ(account.transfers(onetrip::to_device), one_array) << account;
    EXPECT_EQ(account.transfers(onetrip::to_host), one_array) << account;
    EXPECT_EQ(account.of(onetrip::kind::transfer).count, 2u) << account;
    EXPECT_EQ(account.of(onetrip::kind::copy).count, 0u) << account;
    EXPECT_EQ(account.of(onetrip::kind::kernel).count, steps) << account;
    EXPECT_EQ(account.of(onetrip::kind::allocation).count, 0u) << account;
    EXPECT_EQ(strays(account, "heat1d::resident::step"), 0u) << account;
  }
}

TYPED_TEST(heat1d_transfers, of_a_region_a_step_are_four_whole_arrays_a_step) {
  for (std::size_t const steps : {0, 1, 2, 3, 100}) {
    onetrip::ledger::scope const own;
    auto const account = watched<heat1d::region_per_step<TypeParam>>(static_cast<std::int64_t>(steps));
    onetrip::tally const each_way{2 * steps, 2 * steps * cells * sizeof(TypeParam)};
    EXPECT_EQ(account.transfers(onetrip::to_device), each_way) << account;
    EXPECT_EQ(account.transfers(onetrip::to_host), each_way) << account;
    EXPECT_EQ(own.transfers(onetrip::to_device), each_way);
    EXPECT_EQ(own.transfers(onetrip::to_host), each_way);
    EXPECT_EQ(account.of(onetrip::kind::transfer).count, 4 * steps) << account;
    EXPECT_EQ(account.of(onetrip::kind::kernel).count, steps) << account;
    EXPECT_EQ(account.of(onetrip::kind::fence).count, steps) << account;
  }
}

TYPED_TEST(heat1d_transfers, of_one_region_are_two_in_all_with_no_fence_between_steps) {
  for (std::size_t const steps : {1, 2, 3, 100}) {
    auto const account = watched<heat1d::region<TypeParam>>(static_cast<std::int64_t>(steps));
    onetrip::tally const one_array{1, cells * sizeof(TypeParam)};
    EXPECT_EQ(account.transfers(onetrip::to_device), one_array) << account;
    EXPECT_EQ(account.transfers(onetrip::to_host), one_array) << account;
    EXPECT_EQ(account.of(onetrip::kind::transfer).count, 2u) << account;
    EXPECT_EQ(account.of(onetrip::kind::copy).count, 0u) << account;
    EXPECT_EQ(account.of(onetrip::kind::kernel).count, steps) << account;
    EXPECT_EQ(account.of(onetrip::kind::allocation).count, 2u) << account;
    EXPECT_EQ(account.of(onetrip::kind::fence).count, 1u) << account; // the region's end
  }
}

template <class Variant>
void expect_own_labels() {
  using T = value_of<Variant>;
  onetrip::recorder const recorder;
  for (heat1d::boundary const& ends : all_boundaries())
    solve<Variant>(std::vector<T>(cells, T(1)), 3, T(0.25), ends);
  onetrip::account const seen = recorder.so_far();
  EXPECT_EQ(seen.of(onetrip::kind::kernel).count, 9u) << seen;
  EXPECT_THAT(test_support::foreign_labels(seen, "heat1d"), testing::IsEmpty());
}

TYPED_TEST(heat1d_transfers, and_the_rest_have_labels_that_tell_the_program_the_variant_and_the_step) {
  expect_own_labels<heat1d::mirror<TypeParam>>();
  expect_own_labels<heat1d::resident<TypeParam>>();
}

} // namespace

} // namespace heat1d_test
