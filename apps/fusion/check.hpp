// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/arrays.hpp>

#include <common/program.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

namespace fusion {

/// The largest difference of `out(i)` from `expected(i)`, relative to it. Copies to the host piece by piece. Throws
/// `apps::wrong_answer` with the worst element where it is more than `tolerance`, or not a number.
template <class T, class Expected>
double largest_difference(array<T> const& out, Expected expected, double tolerance, std::string const& who) {
  constexpr std::size_t piece = 1 << 20;
  double largest = 0;
  std::size_t worst = 0;
  T worst_value{};
  for (std::size_t begin = 0; begin < out.size(); begin += piece) {
    std::size_t const end = std::min(begin + piece, out.size());
    auto const values =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, Kokkos::subview(out, std::pair{begin, end}));
    for (std::size_t i = begin; i < end; ++i) {
      T const value = values(i - begin);
      double const wanted = expected(static_cast<std::int64_t>(i));
      double difference = std::abs(value - wanted) / std::abs(wanted);
      if (std::isnan(difference))
        difference = std::numeric_limits<double>::infinity();
      if (difference > largest) {
        largest = difference;
        worst = i;
        worst_value = value;
      }
    }
  }
  if (largest > tolerance) {
    std::ostringstream message;
    message.precision(std::numeric_limits<T>::max_digits10);
    message << who << ": wrong answer, worst at element " << worst << ": " << worst_value << ", expected "
            << expected(static_cast<std::int64_t>(worst));
    throw apps::wrong_answer(message.str());
  }
  return largest;
}

} // namespace fusion
