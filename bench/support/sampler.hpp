// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <utility>

namespace bench {

/// Seconds that `runs` runs in a row take, from an idle device to an idle device: by device events on the stream of
/// Kokkos' default instance with CUDA, by the host's clock elsewhere.
double seconds_of(long runs, std::function<void()> const& run);

/// How often a sample runs.
enum class sampling {
  once,    ///< what takes long enough, and starts from a state that is made for each run
  in_a_row ///< an untimed run, which leaves the caches as the next ones find them, then runs that last a millisecond
};

/// Takes samples of the time of a run.
class sampler {
public:
  sampler(std::function<void()> run, sampling how) : m_run(std::move(run)), m_how(how) {}

  /// One sample: the seconds of a run, the mean of the runs in it.
  double sample();

private:
  long enough_runs() const;

  std::function<void()> m_run;
  sampling m_how;
  long m_runs = 0; // in a row: found by the first sample
};

} // namespace bench
