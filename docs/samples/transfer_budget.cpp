// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A test that holds a function to what it may move.
#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

struct heat_up {
  Kokkos::View<double*> u;
  KOKKOS_FUNCTION void operator()(int i) const { u(i) += 1; }
};

void solve(Kokkos::View<double*> const& u, Kokkos::View<double*>::host_mirror_type const& host, int steps) {
  Kokkos::deep_copy(u, host);
  for (int s = 0; s < steps; ++s)
    Kokkos::parallel_for("solve::step", u.extent(0), heat_up{u});
  Kokkos::deep_copy(host, u);
}

TEST(transfer_budget, one_trip_each_way) {
  Kokkos::View<double*> const u("u", 1000);
  auto const host = Kokkos::create_mirror(u);

  onetrip::recorder rec;
  rec.stand_in(u); // where host and device share memory, this View plays the device
  solve(u, host, 10);

  EXPECT_LE(rec.transfers(onetrip::to_device).bytes, 8000u) << rec;
  EXPECT_LE(rec.transfers(onetrip::to_host).bytes, 8000u) << rec;
  EXPECT_EQ(rec.so_far().of(onetrip::kind::kernel).count, 10u) << rec;
}
