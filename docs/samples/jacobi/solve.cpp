// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "solve.hpp"

#include "change.hpp"
#include "relax.hpp"

namespace jacobi {

void solve(field& u, field& f, int steps, int interval,
           std::function<void(int, std::vector<double> const&, double)> const& output) {
  Kokkos::DefaultExecutionSpace const exec;
  field v{u.rows, u.columns};
  matrix now = u.view(), next = v.view();
  onetrip::region data(exec, onetrip::copy(now), onetrip::copyin(f.view()), onetrip::create(next));
  for (int s = 1; s <= steps; ++s) {
    relax(now, f.view(), next);
    onetrip::swap(now, next);
    if (s % interval == 0) {
      onetrip::update_host(exec, now);
      output(s, u.values, change(now, next));
    }
  }
}

} // namespace jacobi
