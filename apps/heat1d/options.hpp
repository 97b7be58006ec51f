// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heat1d {

/// In the order in which they run.
std::vector<std::string> all_variants();

struct options : apps::common_options {
  options() : common_options{.variants = all_variants(), .repeat = 3} {}

  std::optional<std::size_t> cells; // none: 2^18, or a file's length
  std::int64_t steps = 2000;
  double alpha = 1;
  double dx = 1;
  double dt = 0.25;
  std::optional<double> r; // instead of the three above
  std::string boundary = "fixed";
  std::string initial = "sine";
  std::string output; // empty: none

  /// r = alpha dt / dx^2. Throws `apps::bad_input` where the steps would be unstable, or a number makes no sense.
  double mesh_ratio() const;
};

/// The flags, read into `chosen`.
void add_options(CLI::App& cli, options& chosen);

} // namespace heat1d
