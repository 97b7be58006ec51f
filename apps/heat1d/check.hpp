// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/arrays.hpp>
#include <heat1d/text.hpp>

#include <common/program.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace heat1d {

/// The largest difference of u from the serial run's state: 0. Throws `apps::wrong_answer` with the worst cell where a
/// single bit differs.
template <class T>
double difference_from_serial(host_array<T> const& u, std::vector<T> const& expected, std::string const& who) {
  if (std::memcmp(u.data(), expected.data(), expected.size() * sizeof(T)) == 0)
    return 0;
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bit by bit, as said
    bool const same = std::memcmp(&u(i), &expected[i], sizeof(T)) == 0;
    double const difference = std::abs(static_cast<double>(u(i)) - static_cast<double>(expected[i]));
    if (!same && (difference > largest || std::isnan(difference))) {
      worst = i;
      largest = difference;
      if (std::isnan(difference))
        break;
    }
  }
  throw apps::wrong_answer(who + ": wrong answer, worst at cell " + std::to_string(worst) + ": " + shortest(u(worst)) +
                           ", the serial run has " + shortest(expected[worst]));
}

} // namespace heat1d
