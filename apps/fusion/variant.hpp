// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace fusion {

/// Whole arrays that a variant reads and writes; declared beside its kernels.
struct traffic {
  std::size_t read;
  std::size_t written;
};

/// One way to compute a case.
struct variant {
  std::string name;
  traffic arrays;
  double tolerance; ///< relative; 0: the same bits
  std::function<void()> run;
};

} // namespace fusion
