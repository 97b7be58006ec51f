// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace apps {

/// Seconds of one run.
struct spread {
  double min = 0;
  double median = 0;
  double max = 0;
};

/// The spread of samples, of which there must be one at least. The median of an even number is the middle two's mean.
spread spread_of(std::vector<double> samples);

/// Times `repeat` samples of `run()`, each from a fence to a fence, after one run that isn't timed. Where a run is
/// short, a sample is a row of runs that lasts a millisecond at least, and counts as their mean: what a run costs in a
/// row, not the wait for a single one. Two rows that follow each other must have lasted, so that one interruption
/// doesn't make a short run count as a long one.
template <class Run>
spread measure(int repeat, Run&& run) {
  constexpr double shortest_sample = 1e-3;
  auto seconds_of = [&](long runs) {
    Kokkos::fence("apps::measure::begin");
    Kokkos::Timer timer;
    for (long i = 0; i < runs; ++i)
      run();
    Kokkos::fence("apps::measure::end");
    return timer.seconds();
  };
  run();
  std::vector<double> samples;
  for (long runs = 1; static_cast<int>(samples.size()) < std::max(repeat, 2);) {
    double const seconds = seconds_of(runs);
    if (seconds >= shortest_sample) {
      samples.push_back(seconds / static_cast<double>(runs));
    } else { // too short: begin anew with longer ones
      samples.clear();
      runs *= 2;
    }
  }
  samples.erase(samples.begin(), samples.end() - repeat);
  return spread_of(std::move(samples));
}

} // namespace apps
