// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fusion {

/// The variants that there are, built or not.
std::vector<std::string> all_variants();

/// The variants of this build.
std::vector<std::string> built_variants();

/// The cases, in the order in which they run.
std::vector<std::string> all_cases();

struct options : apps::common_options {
  options() : common_options{.variants = built_variants(), .repeat = 10} {}

  std::size_t size = std::size_t{1} << 24;
  int ops = 32;
  std::vector<std::string> cases = all_cases();
  std::optional<std::string> left_out{}; ///< the case that lacks the type

  bool wants_case(std::string const& name) const;
};

/// The flags, read into `chosen`. A case that lacks the type that is asked for is left out; asked for, too, it is bad
/// input. Where no type is asked for it takes its own.
void add_options(CLI::App& cli, options& chosen);

} // namespace fusion
