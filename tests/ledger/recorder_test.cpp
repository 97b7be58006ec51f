// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
TEST(recorder, sees) {
  Kokkos::View<double*> a("a", 10);
  onetrip::recorder rec;
  auto m = Kokkos::create_mirror(a);
  rec.stand_in(a);
  Kokkos::deep_copy(a, m);
  Kokkos::deep_copy(m, a);
  Kokkos::deep_copy(a, 1.0);
  Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), a, 1.0);
  Kokkos::View<double**, Kokkos::LayoutRight> s("s",10,10);
  Kokkos::View<double**, Kokkos::LayoutRight> s2("s2",10,10);
  Kokkos::deep_copy(Kokkos::subview(s, Kokkos::ALL, 1), Kokkos::subview(s2, Kokkos::ALL, 2));
  try { Kokkos::deep_copy(Kokkos::View<double*>("small", 3), a); } catch (std::exception const&) {}
  Kokkos::fence();
  double sum;
  Kokkos::parallel_reduce("sum", 10, KOKKOS_LAMBDA(int i, double& l) { l += a(i); }, sum);
  std::cout << rec;
}
