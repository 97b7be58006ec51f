// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/options.hpp>

#include <common/program.hpp>
#include <common/timing.hpp>

#include <onetrip/onetrip.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heat1d {

/// What was run.
struct problem {
  std::size_t cells = 0;
  double r = 0;
};

/// What a run found of one variant.
struct result {
  std::string name;
  onetrip::tally to_device; ///< observed, in a run that isn't timed
  onetrip::tally to_host;
  apps::spread seconds;
  double difference_from_serial = 0;
  std::optional<double> error_from_exact; ///< where the first state is a sine
};

/// Starts Kokkos, runs, times and checks every chosen variant, and reports to the files and to stdout. Throws
/// `apps::bad_input` and `apps::wrong_answer`.
void run(options const& chosen, apps::kokkos_start const& start);

} // namespace heat1d
