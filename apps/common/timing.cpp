// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/timing.hpp>

#include <algorithm>

namespace apps {

spread spread_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  std::size_t const upper = samples.size() / 2;
  std::size_t const lower = (samples.size() - 1) / 2;
  return {samples.front(), (samples[lower] + samples[upper]) / 2, samples.back()};
}

} // namespace apps
