// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include "core/hidden_library.hpp"

namespace {

Kokkos::View<int*>* target = nullptr;

void copy_by_the_other() {
  Kokkos::View<int*, Kokkos::HostSpace> const source("source", 3);
  hidden_other::copy(*target, source);
}

TEST(shared_state, is_one_for_all_libraries) {
  EXPECT_EQ(hidden_one::hooks(), hidden_other::hooks());
  EXPECT_EQ(hidden_one::hooks(), &onetrip::detail::hooks());
  EXPECT_EQ(hidden_one::table(), hidden_other::table());
  EXPECT_EQ(hidden_one::table(), &onetrip::detail::residency<Kokkos::DefaultExecutionSpace>::table());
}

TEST(shared_state, a_recorder_in_one_library_sees_the_work_of_another) {
  Kokkos::View<int*> view("target", 3);
  target = &view;
  onetrip::recorder outer;
  outer.stand_in(view);
  EXPECT_EQ(hidden_one::uploads_seen(view, copy_by_the_other), 1u);
  EXPECT_EQ(outer.transfers(onetrip::to_device).count, 1u);
}

TEST(shared_state, callbacks_are_put_back_by_whichever_library_comes_last) {
  auto const before = Kokkos::Tools::Experimental::get_callbacks().begin_deep_copy;
  Kokkos::View<int*> view("target", 3);
  target = &view;
  hidden_one::uploads_seen(view, copy_by_the_other);
  EXPECT_EQ(Kokkos::Tools::Experimental::get_callbacks().begin_deep_copy, before);
  {
    onetrip::recorder rec;
    hidden_other::uploads_seen(view, copy_by_the_other);
  }
  EXPECT_EQ(Kokkos::Tools::Experimental::get_callbacks().begin_deep_copy, before);
}

TEST(shared_state, errors_are_caught_across_libraries) {
  EXPECT_THROW(hidden_one::fail(), onetrip::not_observing);
  EXPECT_THROW(hidden_other::fail(), onetrip::error);
}

} // namespace
