// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relax.hpp"

namespace jacobi {

void relax(matrix const& u, matrix const& f, matrix const& v) {
  Kokkos::DefaultExecutionSpace const exec;
  onetrip::region const data(exec, onetrip::copyin(u), onetrip::copyin(f), onetrip::copyout(v));
  auto const from = onetrip::device_ro(exec, u), source = onetrip::device_ro(exec, f);
  auto const to = data.device(v);
  std::size_t const last_row = u.extent(0) - 1, last_column = u.extent(1) - 1;
  Kokkos::parallel_for(
      "jacobi::relax", Kokkos::MDRangePolicy<Kokkos::Rank<2>>(exec, {0, 0}, {u.extent(0), u.extent(1)}),
      KOKKOS_LAMBDA(std::size_t i, std::size_t j) {
        bool const on_edge = i == 0 || j == 0 || i == last_row || j == last_column;
        to(i, j) = on_edge ? from(i, j)
                           : 0.25 * (from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from(i, j + 1) + source(i, j));
      });
}

} // namespace jacobi
