// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string_view>

// Recorders made before Kokkos::initialize, and alive after Kokkos::finalize. A process initializes Kokkos once: each
// test is a process of its own, chosen by the filter that ctest passes.

namespace {

using onetrip::kind;

struct nothing_to_do {
  KOKKOS_FUNCTION void operator()(int) const {}
};

void run_two_kernels() {
  Kokkos::parallel_for("one", 8, nothing_to_do{});
  Kokkos::parallel_for("two", 8, nothing_to_do{});
}

TEST(before_initialize, adds_no_fence) {
  onetrip::recorder rec;
  {
    Kokkos::ScopeGuard const kokkos;
    EXPECT_FALSE(rec.adds_fences());
    run_two_kernels();
    auto const seen = rec.so_far();
    EXPECT_EQ(seen.of(kind::kernel).count, 2u) << rec;
    EXPECT_EQ(seen.of(kind::tool_fence).count, 0u) << rec;
    EXPECT_EQ(seen.of(kind::fence).count, 0u) << rec;
    onetrip::recorder late; // Kokkos asked once, and the answer holds
    EXPECT_FALSE(late.adds_fences());
    run_two_kernels();
    EXPECT_EQ(late.so_far().of(kind::tool_fence).count, 0u) << late;
  }
  EXPECT_EQ(rec.so_far().of(kind::kernel).count, 4u) << rec;
}

TEST(before_initialize, keeps_the_fences_that_a_tool_has_by_default) {
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback([](char const*, std::uint32_t, std::uint64_t*) {});
  onetrip::recorder copies(onetrip::watch::copies);
  onetrip::recorder rec;
  Kokkos::ScopeGuard const kokkos;
  EXPECT_TRUE(rec.adds_fences());
  run_two_kernels();
  EXPECT_GT(copies.so_far().of(kind::tool_fence).count, 0u) << rec;
}

TEST(before_initialize, keeps_the_fences_that_a_tool_asks_for) {
  Kokkos::Tools::Experimental::set_request_tool_settings_callback(
      [](std::uint32_t, Kokkos_Tools_ToolSettings* settings) { settings->requires_global_fencing = true; });
  onetrip::recorder rec;
  Kokkos::ScopeGuard const kokkos;
  EXPECT_TRUE(rec.adds_fences());
}

TEST(before_initialize, a_region_left_open_at_finalize_is_only_where_it_was) {
  onetrip::recorder rec;
  {
    Kokkos::ScopeGuard const kokkos;
    Kokkos::Profiling::pushRegion("left open");
    run_two_kernels();
  }
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.total([](auto const& r) { return r.what == kind::kernel && r.region == "left open"; }).count, 2u)
      << rec;
}

TEST(before_initialize, says_so_when_a_tools_library_took_its_place) {
  onetrip::recorder rec;
  ASSERT_EQ(setenv("KOKKOS_TOOLS_LIBS", TOOLS_LIBRARY, 1), 0);
  Kokkos::ScopeGuard const kokkos;
  try {
    rec.so_far();
    FAIL() << "the recorder sees nothing and does not say so";
  } catch (onetrip::not_observing const& e) {
    EXPECT_STREQ(e.what(), "onetrip::recorder: a tools library that Kokkos::initialize loaded has overwritten the "
                           "callbacks of a recorder made before it; make the recorder after Kokkos::initialize");
  }
  onetrip::recorder late;
  run_two_kernels();
  EXPECT_EQ(late.so_far().of(kind::kernel).count, 2u) << late;
}

TEST(before_initialize, a_loaded_tools_library_is_called_too_when_the_recorder_comes_after) {
  ASSERT_EQ(setenv("KOKKOS_TOOLS_LIBS", TOOLS_LIBRARY, 1), 0);
  Kokkos::ScopeGuard const kokkos;
  ASSERT_TRUE(Kokkos::Tools::profileLibraryLoaded());
  auto const before = Kokkos::Tools::Experimental::get_callbacks().begin_parallel_for;
  ASSERT_NE(before, nullptr);
  {
    onetrip::recorder rec;
    EXPECT_TRUE(rec.adds_fences()) << "what the library asked for can't be known here: the worse is said";
    testing::internal::CaptureStdout();
    run_two_kernels();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "tool: one\ntool: two\n");
    EXPECT_EQ(rec.so_far().of(kind::kernel).count, 2u) << rec;
  }
  EXPECT_EQ(Kokkos::Tools::Experimental::get_callbacks().begin_parallel_for, before);
}

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
