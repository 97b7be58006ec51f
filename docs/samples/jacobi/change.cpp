// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "change.hpp"

namespace jacobi {

double change(matrix const& u, matrix const& v) {
  Kokkos::DefaultExecutionSpace const exec;
  onetrip::region const data(exec, onetrip::copyin(u), onetrip::copyin(v));
  auto const a = onetrip::device_ro(exec, u), b = onetrip::device_ro(exec, v);
  double largest = 0;
  Kokkos::parallel_reduce(
      "jacobi::change", Kokkos::MDRangePolicy<Kokkos::Rank<2>>(exec, {0, 0}, {u.extent(0), u.extent(1)}),
      KOKKOS_LAMBDA(std::size_t i, std::size_t j, double& most) {
        most = Kokkos::fmax(most, Kokkos::fabs(a(i, j) - b(i, j)));
      },
      Kokkos::Max<double>(largest));
  return largest;
}

} // namespace jacobi
