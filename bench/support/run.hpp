// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/suite.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// What a benchmark program is.
struct program {
  std::string name;
  std::uint64_t smallest_size;
  std::function<std::size_t(std::size_t)> host_bytes; ///< what the rows of a size allocate there
  std::function<std::size_t(std::size_t)> device_bytes;
  std::function<void(suite&, std::size_t size, bool by_default)> add_rows; ///< of a size, asked for or by default
};

/// What a benchmark's `main` does: reads Google Benchmark's flags and `--sizes`, runs the rows and reports them. Bad
/// input is one line on stderr and exit code 2; a wrong answer fails its row, and the exit code is 1.
int run(int argc, char** argv, program const& what);

} // namespace bench
