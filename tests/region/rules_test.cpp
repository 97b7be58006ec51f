// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region/arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

// The rules of docs/region.md, with their numbers there; 8 is in views_test.cpp, 11 and 17 in sharing_test.cpp, 19 in
// finalize_test.cpp, 20 in threads_test.cpp.

namespace {

using namespace region_tests;
using onetrip::copy, onetrip::copyin, onetrip::copyout, onetrip::create;
using onetrip::region;
using ints = std::vector<int>;

TEST_F(distinct, a_clause_on_what_is_absent_moves_what_it_says) { // 1
  device const exec;
  auto const run = [&](auto const& clause, array<int> const& u) {
    return moved_in([&] {
      region const data(exec, clause);
      add(exec, data.device(u), 10);
    });
  };
  array<int> u = count_up("u", 3);
  EXPECT_EQ(run(copy(u), u), (moved{{1, 12}, {1, 12}}));
  EXPECT_EQ(values_of(u), (ints{11, 12, 13}));
  EXPECT_EQ(run(copyin(u), u), (moved{{1, 12}, {}}));
  EXPECT_EQ(values_of(u), (ints{11, 12, 13}));
  EXPECT_EQ(run(copyout(u), u), (moved{{}, {1, 12}}));
  EXPECT_EQ(values_of(u), ints(3, poison + 10)); // what it began with on the device was undefined
  EXPECT_EQ(run(create(u), u), (moved{}));
  EXPECT_EQ(values_of(u), ints(3, poison + 10));
}

TEST_F(distinct, a_clause_on_what_is_present_moves_nothing) { // 2
  device const exec;
  array<int> const u = count_up("u", 3);
  region data(exec, copy(u));
  add(exec, data.device(u), 10);
  EXPECT_EQ(moved_in([&] {
              region const inner(exec, copy(u), copyin(u), copyout(u), create(u), onetrip::present(u));
              add(exec, inner.device(u), 10);
            }),
            (moved{}));
  EXPECT_EQ(values_of(u), ints(3, poison)); // the inner copy has refreshed nothing
  EXPECT_EQ(on_device(exec, u), (ints{21, 22, 23}));
  u(0) = 5;
  EXPECT_EQ(moved_in([&] {
              region const inner(exec, onetrip::always(copy(u)));
              add(exec, inner.device(u), 1);
            }),
            (moved{{1, 12}, {1, 12}}));
  EXPECT_EQ(values_of(u), (ints{6, poison + 1, poison + 1}));
  data.close();
}

TEST_F(distinct, two_counters_hold_it) { // 3
  device const exec;
  array<int> const u = count_up("u", 3);
  EXPECT_EQ(moved_in([&] { onetrip::exit_data(exec, copyout(u)); }), (moved{})); // absent: nothing
  onetrip::enter_data(exec, copyin(u));
  onetrip::enter_data(exec, copyin(u));
  {
    region const data(exec, copy(u));
    add(exec, data.device(u), 1);
    EXPECT_EQ(moved_in([&] { onetrip::exit_data(exec, copyout(u)); }), (moved{}));
  } // still held once
  EXPECT_TRUE(onetrip::is_present(exec, u));
  EXPECT_EQ(values_of(u), (ints{1, 2, 3}));
  EXPECT_EQ(moved_in([&] { onetrip::exit_data(exec, copyout(u)); }), (moved{{}, {1, 12}}));
  EXPECT_FALSE(onetrip::is_present(exec, u));
  EXPECT_EQ(values_of(u), (ints{2, 3, 4}));

  for (int i = 0; i < 3; ++i)
    onetrip::enter_data(exec, create(u));
  onetrip::exit_data(exec, onetrip::finalize, onetrip::release(u));
  EXPECT_FALSE(onetrip::is_present(exec, u));
}

TEST_F(distinct, an_exit_does_not_free_what_a_region_holds) { // 3
  device const exec;
  array<int> const u = count_up("u", 3);
  region data(exec, copy(u));
  EXPECT_THROW(onetrip::exit_data(exec, copyout(u)), onetrip::error);
  onetrip::enter_data(exec, create(u));
  add(exec, data.device(u), 1);
  onetrip::exit_data(exec, onetrip::finalize, onetrip::release(u));
  EXPECT_EQ(on_device(exec, u), (ints{2, 3, 4}));
  data.close();
  EXPECT_EQ(values_of(u), (ints{2, 3, 4}));
}

TEST_F(distinct, the_clause_that_brought_it_copies_back_in_any_order) { // 4
  device const exec;
  array<int> const u = count_up("u", 3);
  for (bool const first_ends_first : {true, false})
    for (bool const copies : {true, false}) {
      std::optional<region<device, 1>> first, second;
      copies ? first.emplace(exec, copy(u)) : first.emplace(exec, copyin(u));
      copies ? second.emplace(exec, create(u)) : second.emplace(exec, copy(u));
      add(exec, onetrip::device(exec, u), 1);
      moved const seen = moved_in([&] {
        (first_ends_first ? first : second).reset();
        (first_ends_first ? second : first).reset();
      });
      EXPECT_EQ(seen, copies ? (moved{{}, {1, 12}}) : (moved{}));
    }
  EXPECT_EQ(values_of(u), (ints{3, 4, 5}));
}

TEST_F(distinct, present_wants_it_and_if_present_does_not) { // 5
  device const exec;
  array<int> const u = count_up("u", 3);
  EXPECT_THROW(visit(exec, onetrip::present(u)), onetrip::not_present);
  region const nothing(exec, onetrip::if_present(u));
  EXPECT_THROW(nothing.device(u), onetrip::not_present);
  EXPECT_EQ(moved_in([&] {
              onetrip::update_host(exec, onetrip::if_present(u));
              onetrip::update_device(exec, onetrip::if_present(u));
            }),
            (moved{}));
  std::optional<region<device, 1>> outer(std::in_place, exec, copy(u));
  region const held(exec, onetrip::if_present(u));
  add(exec, held.device(u), 1);
  EXPECT_EQ(moved_in([&] { outer.reset(); }), (moved{})); // held on
  EXPECT_TRUE(onetrip::is_present(exec, u));
}

TEST_F(distinct, updates_move_what_they_name_and_count_nothing) { // 6
  device const exec;
  array<int> const u = count_up("u", 10);
  EXPECT_THROW(onetrip::update_host(exec, u), onetrip::not_present);
  EXPECT_THROW(onetrip::update_device(exec, u), onetrip::not_present);
  region const data(exec, copyin(u));
  add(exec, data.device(u), 100);
  EXPECT_EQ(moved_in([&] { onetrip::update_host(exec, Kokkos::subview(u, std::pair(2, 5))); }), (moved{{}, {1, 12}}));
  EXPECT_EQ(values_of(u), (ints{1, 2, 103, 104, 105, 6, 7, 8, 9, 10}));
  u(0) = u(9) = 0;
  EXPECT_EQ(moved_in([&] { onetrip::update_device(exec, Kokkos::subview(u, std::pair(0, 1))); }), (moved{{1, 4}, {}}));
  EXPECT_EQ(on_device(exec, u), (ints{0, 102, 103, 104, 105, 106, 107, 108, 109, 110}));
}

TEST_F(distinct, a_part_of_what_is_present_is_present) { // 7
  device const exec;
  array<int> const u = count_up("u", 10);
  auto const part = Kokkos::subview(u, std::pair(3, 6));
  auto const rest = Kokkos::subview(u, std::pair(6, 10));
  {
    region const data(exec, copy(u));
    EXPECT_EQ(moved_in([&] {
                region const inner(exec, copy(part));
                add(exec, inner.device(part), 100);
              }),
              (moved{}));
  }
  EXPECT_EQ(values_of(u), (ints{1, 2, 3, 104, 105, 106, 7, 8, 9, 10}));
  region const data(exec, copyin(part), copyin(rest)); // ranges of one allocation, apart
  EXPECT_THROW(visit(exec, copyin(u)), onetrip::partially_present);
  EXPECT_THROW(visit(exec, copyin(Kokkos::subview(u, std::pair(2, 4)))), onetrip::partially_present);
  EXPECT_THROW(visit(exec, copyin(Kokkos::subview(u, std::pair(5, 7)))), onetrip::partially_present);
  EXPECT_FALSE(onetrip::is_present(exec, Kokkos::subview(u, std::pair(0, 3))));
  Kokkos::View<int**, Kokkos::LayoutRight, host, Kokkos::MemoryUnmanaged> const square(rest.data(), 2, 2);
  EXPECT_THROW(visit(exec, copyin(square)), onetrip::shape_error);
  Kokkos::View<short*, host, Kokkos::MemoryUnmanaged> const shorts(reinterpret_cast<short*>(rest.data()), 3);
  EXPECT_THROW(data.device(shorts), onetrip::shape_error);
}

TEST_F(distinct, an_exception_copies_nothing_back) { // 9, 12
  device const exec;
  array<int> const u = count_up("u", 3), v = count_up("v", 3);
  auto const fails = [&] {
    region const data(exec, copy(u), copyout(v));
    add(exec, data.device(u), 100);
    set(exec, data.device(v), 100);
    EXPECT_EQ(values_of(u), ints(3, poison));
    throw std::runtime_error("halfway");
  };
  EXPECT_EQ(moved_in([&] { EXPECT_THROW(fails(), std::runtime_error); }), (moved{{1, 12}, {}}));
  EXPECT_EQ(values_of(u), (ints{1, 2, 3}));
  EXPECT_EQ(values_of(v), (ints{1, 2, 3}));
  EXPECT_FALSE(onetrip::is_present(exec, u) || onetrip::is_present(exec, v));

  // a region that lives in a destructor's work while another exception unwinds ends as usual
  struct cleaner {
    device const& exec;
    array<int> u;
    ~cleaner() {
      region const data(exec, copy(u));
      add(exec, data.device(u), 1);
    }
  };
  auto const unwinds = [&] {
    cleaner const c{exec, u};
    throw std::runtime_error("");
  };
  EXPECT_THROW(unwinds(), std::runtime_error);
  EXPECT_EQ(values_of(u), (ints{2, 3, 4}));
}

TEST_F(distinct, what_a_region_had_opened_before_it_failed_is_undone) { // 9
  device const exec;
  array<int> const u = count_up("u", 3), v = count_up("v", 3), w = count_up("w", 3);
  region outer(exec, copy(v));
  EXPECT_EQ(moved_in([&] { EXPECT_THROW(visit(exec, copy(u), copy(v), onetrip::present(w)), onetrip::not_present); }),
            (moved{{1, 12}, {}}));
  EXPECT_FALSE(onetrip::is_present(exec, u));
  EXPECT_THROW(onetrip::enter_data(exec, copyin(u), copyin(Kokkos::subview(u, std::pair(0, 2))),
                                   copyin(Kokkos::View<int*, host, Kokkos::MemoryUnmanaged>(&u(1), 3))),
               onetrip::partially_present);
  EXPECT_FALSE(onetrip::is_present(exec, u));
  outer.close();
  EXPECT_FALSE(onetrip::is_present(exec, v));
  EXPECT_EQ(values_of(v), (ints{1, 2, 3}));
}

TEST_F(distinct, regions_move_and_close_once) { // 10
  device const exec;
  array<int> const u = count_up("u", 3);
  region first(exec, copy(u));
  region second(std::move(first));
  add(exec, second.device(u), 1);
  EXPECT_EQ(moved_in([&] { first.close(); }), (moved{})); // NOLINT(bugprone-use-after-move): it holds nothing
  EXPECT_EQ(moved_in([&] { second.close(); }), (moved{{}, {1, 12}}));
  EXPECT_EQ(moved_in([&] { second.close(); }), (moved{}));
  EXPECT_EQ(values_of(u), (ints{2, 3, 4}));
}

TEST_F(distinct, empty_views_are_present_and_cost_nothing) { // 16
  device const exec;
  array<int> none("none", 0), null;
  Kokkos::View<int**, host> const flat("flat", 3, 0);
  onetrip::recorder const rec;
  region const data(exec, copy(none), onetrip::present(null), copyout(flat));
  EXPECT_TRUE(onetrip::is_present(exec, none));
  EXPECT_EQ(data.device(none).extent(0), 0u);
  EXPECT_EQ(data.device(flat).extent(0), 3u);
  onetrip::update_host(exec, none);
  onetrip::host_rw(exec, null);
  onetrip::swap(none, null);
  onetrip::enter_data(exec, copyin(none));
  onetrip::exit_data(exec, copyout(none));
  EXPECT_EQ(rec.so_far().total([](auto const&) { return true; }).count, 0u) << rec;
}

TEST_F(distinct, managed_views_are_held) { // 14
  device const exec;
  auto u = std::make_unique<array<int>>(count_up("u", 3));
  region data(exec, copy(*u));
  int const* const there = u->data();
  u.reset();
  array<int> const other = count_up("other", 3);
  EXPECT_NE(other.data(), there);
  EXPECT_FALSE(onetrip::is_present(exec, other));
}

TEST_F(distinct, after_a_resize_it_is_another_array) { // 15
  device const exec;
  array<int> u = count_up("u", 3);
  region const data(exec, copy(u));
  Kokkos::resize(u, 5);
  EXPECT_THROW(data.device(u), onetrip::not_present);
}

TEST_F(distinct, accessors_move_what_is_newer) { // 18
  device const exec;
  array<int> const u = count_up("u", 3);
  EXPECT_EQ(moved_in([&] {
              region const data(exec, copy(u));
              (void)onetrip::device_ro(exec, u);
            }),
            (moved{{1, 12}, {}})); // never written: not copied back
  region data(exec, copy(u));
  EXPECT_EQ(moved_in([&] {
              add(exec, onetrip::device_rw(exec, u), 1);
              EXPECT_EQ(values_of(onetrip::host_ro(exec, u)), (ints{2, 3, 4}));
              EXPECT_EQ(values_of(onetrip::host_ro(exec, u)), (ints{2, 3, 4}));
            }),
            (moved{{}, {1, 12}}));
  EXPECT_EQ(moved_in([&] { onetrip::host_rw(exec, u)(0) = 50; }), (moved{}));
  EXPECT_EQ(moved_in([&] { add(exec, onetrip::device_rw(exec, u), 1); }), (moved{{1, 12}, {}}));
  onetrip::host_rw(exec, u)(1) = 60;
  EXPECT_EQ(moved_in([&] { data.close(); }), (moved{}));
  EXPECT_EQ(values_of(u), (ints{51, 60, 5}));

  region const raw(exec, copy(u));
  auto const d = raw.device(u);
  add(exec, d, 1);
  EXPECT_EQ(onetrip::host_ro(exec, u)(0), 52);
  add(exec, d, 1); // a View from `device` may be written at any time
  EXPECT_EQ(onetrip::host_ro(exec, u)(0), 53);
}

TEST_F(distinct, const_views_enter) { // 13
  device const exec;
  array<int> const u = count_up("u", 3);
  Kokkos::View<int const*, host> const c = u;
  array<int> const sum = count_up("sum", 3);
  {
    region const data(exec, copyin(c), copy(sum));
    static_assert(std::is_const_v<decltype(data.device(c))::value_type>);
    EXPECT_EQ(on_device(exec, c), (ints{1, 2, 3}));
    EXPECT_EQ(values_of(c), (ints{1, 2, 3})); // never poisoned
  }
  EXPECT_EQ(values_of(c), (ints{1, 2, 3}));
}

TEST_F(distinct, swap_exchanges_what_is_behind_two_views) { // 21
  device const exec;
  for (int steps : {0, 1, 2, 3, 4, 7})
    for (bool const outer : {true, false}) {
      array<int> u = count_up("u", 3), v = count_up("v", 3);
      int* const home = u.data();
      std::optional<region<device, 2>> data;
      if (outer)
        data.emplace(exec, copy(u), create(v));
      auto const step = [&] { // v = u + 1
        region const inner(exec, copy(u), copy(v));
        Kokkos::deep_copy(exec, inner.device(v), onetrip::device_ro(exec, u));
        add(exec, inner.device(v), 1);
      };
      for (int s = 0; s < steps; ++s) {
        step();
        onetrip::swap(u, v);
      }
      data.reset();
      EXPECT_EQ(u.data() == home, outer || steps % 2 == 0);
      EXPECT_EQ(values_of(u), (ints{steps + 1, steps + 2, steps + 3}));
    }
}

TEST_F(distinct, swap_wants_two_whole_arrays_of_one_shape) { // 21
  device const exec;
  array<int> u = count_up("u", 4), v = count_up("v", 4), w = count_up("w", 5), out = count_up("out", 4);
  region data(exec, copy(u), copy(v), copy(w));
  EXPECT_THROW(onetrip::swap(u, out), onetrip::not_present);
  EXPECT_THROW(onetrip::swap(out, u), onetrip::not_present);
  EXPECT_THROW(onetrip::swap(u, w), onetrip::shape_error);
  array<int> part = Kokkos::subview(w, std::pair(0, 4));
  EXPECT_THROW(onetrip::swap(u, part), onetrip::shape_error);
  onetrip::swap(u, u);
  EXPECT_EQ(moved_in([&] {
              onetrip::swap(u, v);
              onetrip::host_rw(exec, u)(0) = 9;
              onetrip::swap(exec, u, v); // takes the host's newer value along
            }),
            (moved{{1, 16}, {1, 16}}));
  data.close();
  EXPECT_EQ(values_of(u), (ints{1, 2, 3, 4}));
  EXPECT_EQ(values_of(v), (ints{9, 2, 3, 4}));
}

} // namespace
