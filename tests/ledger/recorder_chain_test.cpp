// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "support/event_source.hpp"

// Recorders beside each other and beside other people's tools.

namespace {

using onetrip::kind;
using onetrip::recorder;
using onetrip::watch;
using test_support::at;
using events = test_support::event_source;
using event_set = Kokkos::Tools::Experimental::EventSet;

bool same(event_set const& a, event_set const& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

event_set callbacks() { return Kokkos::Tools::Experimental::get_callbacks(); }

int foreign_copies = 0;
int foreign_kernels = 0;
Kokkos_Profiling_beginDeepCopyFunction below = nullptr;

void foreign_copy(Kokkos_Profiling_SpaceHandle, char const*, void const*, Kokkos_Profiling_SpaceHandle, char const*,
                  void const*, std::uint64_t) {
  ++foreign_copies;
}

void foreign_kernel(char const*, std::uint32_t, std::uint64_t* id) {
  ++foreign_kernels;
  *id = 77;
}

void foreign_copy_on_top(Kokkos_Profiling_SpaceHandle to, char const* to_label, void const* to_data,
                         Kokkos_Profiling_SpaceHandle from, char const* from_label, void const* from_data,
                         std::uint64_t bytes) {
  ++foreign_copies;
  below(to, to_label, to_data, from, from_label, from_data, bytes);
}

class recorder_chain : public testing::Test {
protected:
  recorder_chain() : m_before(callbacks()) { foreign_copies = foreign_kernels = 0; }
  ~recorder_chain() override { Kokkos::Tools::Experimental::set_callbacks(m_before); }

  static void copy() {
    events::begin_copy("Cuda", "to", at(64), "Host", "from", at(128), 8);
    events::end_copy();
  }

private:
  event_set m_before;
};

TEST_F(recorder_chain, puts_back_what_was_set) {
  auto const before = callbacks();
  {
    recorder rec;
  }
  EXPECT_TRUE(same(callbacks(), before));
  {
    recorder rec(watch::copies);
  }
  EXPECT_TRUE(same(callbacks(), before));
}

TEST_F(recorder_chain, leaves_kernel_callbacks_alone_when_it_watches_copies) {
  auto const before = callbacks();
  recorder rec(watch::copies);
  EXPECT_EQ(callbacks().begin_parallel_for, before.begin_parallel_for);
  EXPECT_EQ(callbacks().push_region, before.push_region);
}

TEST_F(recorder_chain, calls_what_was_set_first) {
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(foreign_copy);
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(foreign_kernel);
  auto const before = callbacks();
  {
    recorder rec;
    copy();
    std::uint64_t id = 0;
    callbacks().begin_parallel_for("k", 0, &id);
    EXPECT_EQ(id, 77u); // the other tool's own number for it
    EXPECT_EQ(foreign_copies, 1);
    EXPECT_EQ(foreign_kernels, 1);
    EXPECT_EQ(rec.transfers(onetrip::to_device).count, 1u);
    EXPECT_EQ(rec.so_far().of(kind::kernel).count, 1u);
  }
  EXPECT_TRUE(same(callbacks(), before));
}

TEST_F(recorder_chain, nests) {
  auto const before = callbacks();
  {
    recorder outer;
    copy();
    {
      recorder inner;
      copy();
      copy();
      EXPECT_EQ(inner.transfers(onetrip::to_device).count, 2u);
    }
    copy();
    EXPECT_EQ(outer.transfers(onetrip::to_device).count, 4u);
  }
  EXPECT_TRUE(same(callbacks(), before));
}

TEST_F(recorder_chain, may_end_in_any_order) {
  auto const before = callbacks();
  std::optional<recorder> first(std::in_place);
  copy();
  std::optional<recorder> second(std::in_place);
  copy();
  first.reset();
  copy();
  EXPECT_EQ(second->transfers(onetrip::to_device).count, 2u);
  second.reset();
  EXPECT_TRUE(same(callbacks(), before));
}

TEST_F(recorder_chain, a_recorder_of_copies_beside_one_of_everything_lists_no_kernel) {
  recorder copies(watch::copies);
  {
    recorder everything;
    events::push("region");
    events::kernel("k");
    EXPECT_EQ(everything.so_far().of(kind::kernel).count, 1u);
    EXPECT_EQ(copies.so_far().of(kind::kernel).count, 0u);
  } // the region is never seen to end
  copy();
  auto const seen = copies.so_far();
  EXPECT_EQ(seen.records().back().region, "");
  EXPECT_EQ(callbacks().begin_parallel_for, nullptr);
}

TEST_F(recorder_chain, sees_again_after_somebody_put_the_callbacks_back) {
  auto const before = callbacks();
  {
    recorder rec;
    Kokkos::Tools::Experimental::set_callbacks(before);
  }
  recorder again;
  copy();
  EXPECT_EQ(again.transfers(onetrip::to_device).count, 1u);
}

TEST_F(recorder_chain, sees_again_after_tools_were_paused) {
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(foreign_copy);
  Kokkos::Tools::Experimental::pause_tools();
  {
    recorder rec;
  }
  Kokkos::Tools::Experimental::resume_tools();
  recorder again;
  copy();
  EXPECT_EQ(again.transfers(onetrip::to_device).count, 1u);
  EXPECT_EQ(foreign_copies, 1);
}

TEST_F(recorder_chain, of_copies_says_so_where_another_recorder_adds_fences) {
  recorder copies(watch::copies);
  EXPECT_FALSE(copies.adds_fences());
  recorder everything;
  EXPECT_TRUE(copies.adds_fences());
}

TEST_F(recorder_chain, stays_a_link_under_a_tool_that_came_later) {
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(foreign_copy);
  {
    recorder rec;
    below = callbacks().begin_deep_copy;
    Kokkos::Tools::Experimental::set_begin_deep_copy_callback(foreign_copy_on_top);
    copy();
    EXPECT_EQ(rec.transfers(onetrip::to_device).count, 1u);
    EXPECT_EQ(foreign_copies, 2);
  }
  EXPECT_EQ(callbacks().begin_deep_copy, foreign_copy_on_top);
  events::begin_copy("Cuda", "to", at(64), "Host", "from", at(128), 8);
  EXPECT_EQ(foreign_copies, 4); // the one on top and, through the link, the one below
  {
    recorder again; // through the same link
    copy();
    EXPECT_EQ(again.transfers(onetrip::to_device).count, 1u);
  }
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback(below); // the later tool takes itself out
  {
    recorder last;
  }
  EXPECT_EQ(callbacks().begin_deep_copy, foreign_copy);
}

} // namespace
