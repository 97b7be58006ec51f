// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region/arrays.hpp"
#include "support/labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

// Where host and device share memory; and what Kokkos sees of regions.

namespace {

using namespace region_tests;
using onetrip::copy, onetrip::copyin, onetrip::copyout, onetrip::create, onetrip::kind;
using onetrip::region;
using ints = std::vector<int>;

constexpr bool shares_memory = onetrip::accessible_from<array<int>, device>;

TEST(region_alias, works_on_the_host_s_array_and_moves_nothing) {
  if (!shares_memory)
    GTEST_SKIP() << "host and device have memory of their own";
  device const exec;
  mode const how(onetrip::alias::automatic);
  array<int> const u = count_up("u", 3), v = count_up("v", 3);
  onetrip::recorder const rec;
  onetrip::ledger::scope const own;
  {
    region const data(exec, copy(u), create(v));
    EXPECT_EQ(data.device(u).data(), u.data());
    add(exec, data.device(u), 1);
    onetrip::update_host(exec, Kokkos::subview(u, std::pair(0, 2)));
    onetrip::update_device(exec, u);
    EXPECT_EQ(onetrip::host_ro(exec, u)(0), 2);
    onetrip::host_rw(exec, u)(0) = 9;
    set(exec, onetrip::device_rw(exec, v), 3);
  }
  EXPECT_EQ(values_of(u), (ints{9, 3, 4}));
  EXPECT_EQ(values_of(v), ints(3, 3));
  onetrip::account const seen = rec.so_far();
  EXPECT_EQ(seen.of(kind::transfer).count + seen.of(kind::copy).count + seen.of(kind::allocation).count, 0u) << seen;
  EXPECT_EQ(seen.of(kind::kernel).count, 2u) << seen;
  auto const fences = [&](char const* label) {
    return seen.total([&](auto const& r) { return r.what == kind::fence && r.label == label; }).count;
  };
  EXPECT_EQ(fences("onetrip::update_host::done"), 1u) << seen;
  EXPECT_EQ(fences("onetrip::region::host_access"), 2u) << seen;
  EXPECT_EQ(fences("onetrip::region::close"), 1u) << seen;
  EXPECT_EQ(own.elided(), 4u); // u in and out, and two updates
}

TEST(region_alias, is_given_up_by_the_first_swap) {
  if (!shares_memory)
    GTEST_SKIP() << "host and device have memory of their own";
  device const exec;
  mode const how(onetrip::alias::automatic);
  for (int const swaps : {1, 2, 3}) {
    array<int> u = count_up("u", 3), v = make<int>("v", {7, 8, 9});
    onetrip::recorder const rec;
    {
      region const data(exec, copy(u), copy(v));
      for (int s = 0; s < swaps; ++s)
        onetrip::swap(u, v);
      add(exec, data.device(u), 10);
    }
    EXPECT_EQ(values_of(u), swaps % 2 == 1 ? (ints{17, 18, 19}) : (ints{11, 12, 13}));
    EXPECT_EQ(values_of(v), swaps % 2 == 1 ? (ints{1, 2, 3}) : (ints{7, 8, 9}));
    EXPECT_EQ(rec.so_far().of(kind::allocation).count, 2u) << rec;
    EXPECT_EQ(rec.so_far().of(kind::copy).count, 2u) << rec;
  }
}

TEST(region_alias, never_has_a_copy_of_its_own_and_no_poison) {
  device const exec;
  array<int> const u = count_up("u", 3);
  onetrip::ledger::scope const own;
  EXPECT_EQ(moved_in([&] {
              region const data(exec, onetrip::alias::never, copy(u));
              add(exec, data.device(u), 1);
              EXPECT_EQ(values_of(u), (ints{1, 2, 3}));
            }),
            (moved{{1, 12}, {1, 12}}));
  EXPECT_EQ(own.kernels(), 0u);
  onetrip::enter_data(exec, onetrip::alias::never, copyin(u));
  EXPECT_NE(static_cast<void*>(onetrip::device(exec, u).data()), u.data());
  onetrip::exit_data(exec, copyout(u));
}

using events = std::vector<std::pair<kind, std::string>>;

/// All that Kokkos saw, but for fences that the recorder brings about and those of Kokkos' own copies and allocations.
template <class F>
events events_of(F const& call) {
  onetrip::recorder const rec;
  call();
  onetrip::account const seen = rec.so_far();
  EXPECT_THAT(test_support::foreign_labels(seen, "onetrip"), testing::IsEmpty()) << seen;
  events found;
  for (onetrip::record const& r : seen.records())
    if (r.what != kind::tool_fence && r.what != kind::own_fence)
      found.emplace_back(r.what, r.label);
  return found;
}

TEST(region_events, of_a_region_and_of_one_within_it) {
  device const exec;
  mode const how(onetrip::alias::never);
  Kokkos::View<int**, Kokkos::LayoutLeft, host> const u("u", 30, 30), v("v", 30, 30);
  auto const row = Kokkos::subview(u, 3, Kokkos::ALL);
  std::pair const allocates(kind::allocation, std::string("onetrip::region::device_copy"));
  std::pair const frees(kind::deallocation, std::string("onetrip::region::device_copy"));
  std::pair const sends(kind::transfer, std::string("onetrip::region::device_copy"));
  std::pair const stages(kind::allocation, std::string("onetrip::transfer::staging"));
  std::pair const unstages(kind::deallocation, std::string("onetrip::transfer::staging"));
  EXPECT_EQ(
      events_of([&] {
        region const data(exec, copy(u), create(v));
        (void)data.device(u);
      }),
      (events{
          allocates, sends, allocates, {kind::transfer, "u"}, {kind::fence, "onetrip::region::close"}, frees, frees}));
  region const data(exec, copy(u), copy(v));
  EXPECT_EQ(events_of([&] {
              region const inner(exec, copy(u), copy(v));
              (void)inner.device(u);
              auto a = u, b = v;
              onetrip::swap(a, b);
            }),
            events());
  EXPECT_EQ(events_of([&] { onetrip::update_host(exec, u); }),
            (events{{kind::transfer, "u"}, {kind::fence, "onetrip::update_host::done"}}));
  EXPECT_EQ(events_of([&] { onetrip::update_device(exec, u); }), (events{sends}));
  EXPECT_EQ(events_of([&] { onetrip::update_host(exec, row); }), (events{stages,
                                                                         {kind::kernel, "onetrip::transfer::pack"},
                                                                         {kind::transfer, "u"},
                                                                         {kind::fence, "onetrip::transfer::packed"},
                                                                         unstages,
                                                                         {kind::fence, "onetrip::update_host::done"}}));
  EXPECT_EQ(events_of([&] { onetrip::update_device(exec, row); }),
            (events{stages,
                    {kind::transfer, "onetrip::transfer::staging"},
                    {kind::kernel, "onetrip::transfer::unpack"},
                    {kind::fence, "onetrip::transfer::unpacked"},
                    unstages}));
}

TEST(region_events, labels_say_which_view_moved) {
  device const exec;
  mode const how(onetrip::alias::distinct);
  array<int> const u = count_up("temperature", 3);
  onetrip::recorder const rec;
  {
    region const data(exec, copy(u));
    add(exec, data.device(u), 1);
  }
  onetrip::account const seen = rec.so_far();
  for (onetrip::record const& r : seen.records())
    if (r.what == kind::transfer) {
      EXPECT_EQ(r.where == onetrip::to_device ? r.source : r.label, "temperature") << seen;
    }
}

} // namespace
