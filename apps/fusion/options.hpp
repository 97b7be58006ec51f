// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace fusion {

/// The variants that there are, built or not.
std::vector<std::string> all_variants();

/// The variants of this build.
std::vector<std::string> built_variants();

struct options {
  std::size_t size = std::size_t{1} << 24;
  std::string type = "double";
  int ops = 32;
  int repeat = 10;
  std::vector<std::string> variants = built_variants();
  std::string json; // empty: none

  bool wants(std::string const& variant) const;
};

/// The flags, read into `chosen`.
void add_options(CLI::App& cli, options& chosen);

} // namespace fusion
