// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/launch.hpp>
#include <onetrip/detail/march_update.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

// Plain stepping, which every other path equals: a pass of one step, or of none, which is a copy.

namespace onetrip::detail {

template <class T, class Update, class Ends>
struct step_kernel {
  pass<T, Update, Ends> what;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    T const* const u = what.from;
    bool const first = i == 0;
    bool const last = i == what.points - 1;
    T const left = u[first ? what.points - 1 : i - 1];
    T const right = u[last ? 0 : i + 1];
    T value = u[i];
    if (what.depth != 0)
      value = next_or_end(what.update, ends_in_step<T, Ends>(what.ends, what.first_step), left, value, right, i,
                          what.first_step, first, last);
    what.to[i] = value;
  }
};

template <class ExecutionSpace, class T, class Update, class Ends>
void run_step(ExecutionSpace const& exec, std::string const& label, pass<T, Update, Ends> const& what) {
  launch_for(exec, label, what.points, step_kernel<T, Update, Ends>{what});
}

} // namespace onetrip::detail
