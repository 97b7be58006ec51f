// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/march_cuda.hpp>
#include <onetrip/detail/march_host.hpp>
#include <onetrip/detail/march_step.hpp>
#include <onetrip/error.hpp>
#include <onetrip/march/tuning.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

// Which path an execution space takes, and the passes that a number of steps is made of.

namespace onetrip::detail {

/// A space that has plain stepping alone.
struct no_cut {
  int lane_points = 1;
  int depth = 1;

  template <class T, class Ends, class ExecutionSpace>
  static no_cut make(ExecutionSpace const&, std::int64_t, march_tuning const&) {
    return {};
  }
  template <class T>
  static std::int64_t scratch() {
    return 0;
  }
  static double redundancy(int) { return 0; }
};

template <class ExecutionSpace, class T, class Update, class Ends>
void run_tiles(ExecutionSpace const& exec, std::string const& label, pass<T, Update, Ends> const& what, no_cut const&,
               T*) {
  run_step(exec, label, what);
}

template <class ExecutionSpace>
struct cut_of {
  using type =
      std::conditional_t<std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>, host_cut, no_cut>;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct cut_of<Kokkos::Cuda> {
  using type = warp_cut;
};
#endif

template <class T, class Ends, class ExecutionSpace>
auto make_cut(ExecutionSpace const& exec, std::int64_t points, march_tuning const& asked) {
  if (asked.depth < 0 || asked.lane_points < 0)
    throw error("onetrip::marcher: depth and lane_points must not be negative, but are " + std::to_string(asked.depth) +
                " and " + std::to_string(asked.lane_points));
  return cut_of<ExecutionSpace>::type::template make<T, Ends>(exec, points, asked);
}

/// An even number of passes, so that what begins in an array ends in it. All but the last have `depth` steps, a
/// multiple of 4, so that tiles begin where the memory's sectors do.
struct pass_plan {
  std::int64_t passes;
  int depth;

  /// `most` is the largest depth.
  pass_plan(std::int64_t steps, int most) : passes(steps / (2 * most) * 2 + (steps % (2 * most) != 0 ? 2 : 0)) {
    std::int64_t const even = passes == 0 ? 0 : (steps + passes - 1) / passes;
    depth = static_cast<int>(Kokkos::min<std::int64_t>((even + 3) / 4 * 4, most));
  }
};

} // namespace onetrip::detail
