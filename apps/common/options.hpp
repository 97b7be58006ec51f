// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// More than this of anything that is counted in an int is a slip of the pen.
inline constexpr std::uint64_t most_of_int = std::uint64_t{1} << 20;

/// The flags that both programs have.
struct common_options {
  std::vector<std::string> variants; ///< in the order in which they run, each once
  int repeat;
  std::string type = "double";
  std::string json{}; ///< empty: none

  bool wants(std::string const& variant) const;
};

/// These flags, read into `chosen`, whose variants now are those that there are.
void add_common_options(CLI::App& cli, common_options& chosen);

} // namespace apps
