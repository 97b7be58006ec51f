// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/options.hpp>
#include <fusion/variant.hpp>

#include <common/program.hpp>
#include <common/timing.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fusion {

/// What a run found of one variant.
struct result {
  std::string case_name;
  std::string formula;
  std::string name;
  std::string type;
  std::size_t kernels = 0; ///< observed
  std::size_t bytes_read = 0;
  std::size_t bytes_written = 0;
  apps::spread seconds;
  double copy_rate = 0; ///< GB/s, of the type
  double max_error = 0; ///< relative to the serial answer
};

/// The kernels that `run` starts, as the recorder sees them: it adds fences, so this run is never timed.
std::size_t count_kernels(std::function<void()> const& run);

/// Starts Kokkos, runs, times and checks every chosen variant, and reports to the JSON file and to stdout. Throws
/// `apps::bad_input` and `apps::wrong_answer`.
void run(options const& chosen, apps::kokkos_start const& start);

} // namespace fusion
