// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/sampler.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace bench {

/// Counters of a row by name.
using counters = std::map<std::string, double>;

/// One way to compute a case, on arrays that it shares with the other rows of its set. The row `raw` of the same case
/// and the row `copy` of the set are what its time is set against.
struct row {
  std::string case_name;
  std::string variant;
  std::size_t bytes_read = 0; ///< a run's, as declared beside its kernels
  std::size_t bytes_written = 0;
  std::function<void()> prepare;   ///< sets the inputs that a run changes and poisons what it computes; untimed
  std::function<counters()> count; ///< makes an untimed run; what it started and moved, as seen or as declared
  std::function<void()> run;
  std::function<double()> check; ///< the largest relative error of the answer; throws `apps::wrong_answer`
  sampling how = sampling::in_a_row;
  std::function<counters(double seconds)> rates{}; ///< more counters that come of a run's time
  bool slow = false;                               ///< takes seconds, so that a few repetitions must do
  std::string label{};
  std::string raw = "raw"; ///< the variant of the case that `share_of_raw` is a share of
};

} // namespace bench
