// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace fusion {

/// The variants that there are, built or not.
std::vector<std::string> all_variants();

/// The variants of this build.
std::vector<std::string> built_variants();

struct options : apps::common_options {
  options() : common_options{.variants = built_variants(), .repeat = 10} {}

  std::size_t size = std::size_t{1} << 24;
  int ops = 32;
};

/// The flags, read into `chosen`.
void add_options(CLI::App& cli, options& chosen);

} // namespace fusion
