// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

// What needs gibibytes of memory: labelled "large", run by one configuration.

namespace {

using onetrip::tally;
using onetrip::to_device;

TEST(recorder, past_4_gib) {
  std::size_t const n = (std::size_t{1} << 32) + 1;
  auto const available = onetrip::available_memory<Kokkos::HostSpace>();
  if (available && *available < 3 * n)
    GTEST_SKIP() << "needs " << 3 * n << " bytes of host memory, " << *available << " available";
  Kokkos::View<char*, Kokkos::HostSpace> const a(Kokkos::view_alloc("a", Kokkos::WithoutInitializing), n);
  Kokkos::View<char*, Kokkos::HostSpace> const b(Kokkos::view_alloc("b", Kokkos::WithoutInitializing), n);
  onetrip::recorder rec(onetrip::watch::copies);
  rec.stand_in(a);
  Kokkos::deep_copy(a, b);
  EXPECT_EQ(rec.transfers(to_device), (tally{1, n})) << rec;
}

} // namespace
