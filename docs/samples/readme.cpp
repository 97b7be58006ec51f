// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <iostream>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  Kokkos::View<double*> const x("x", 1 << 20), y("y", 1 << 20);
  using onetrip::in;
  onetrip::assign(exec, x, 1.0 + onetrip::index<0>());
  onetrip::recorder const rec;
  double sum = 0;
  onetrip::fuse(exec, "axpy_and_sum", onetrip::store(y, in(y) + 2 * in(x)), onetrip::sum(sum, y)); // one kernel
  std::cout << "sum " << sum << '\n' << rec.so_far();
}
