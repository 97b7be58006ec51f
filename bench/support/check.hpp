// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/program.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <sstream>
#include <string>

namespace bench {

/// The largest difference of `x(i)` from `expected(i)`, relative to it, over all elements: one reduction where x lies.
/// Throws `apps::wrong_answer` where it is more than `tolerance`, or not a number; 0 wants the same values.
template <class View, class Expected>
double largest_difference(View const& x, Expected const& expected, double tolerance, std::string const& who) {
  using execution_space = typename View::execution_space;
  double largest = 0;
  Kokkos::parallel_reduce(
      "bench::check::difference",
      Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(x.size())),
      KOKKOS_LAMBDA(std::int64_t i, double& so_far) {
        auto const wanted = static_cast<double>(expected(i));
        auto const found = static_cast<double>(x(i));
        double const difference = found == wanted ? 0 : Kokkos::abs(found - wanted) / Kokkos::abs(wanted);
        if (!(difference <= so_far)) // a NaN, too
          so_far = difference >= 0 ? difference : Kokkos::Experimental::infinity_v<double>;
      },
      Kokkos::Max<double>(largest));
  if (largest > tolerance) {
    std::ostringstream message;
    message << who << ": wrong answer, off by " << largest << " of the expected value";
    throw apps::wrong_answer(message.str());
  }
  return largest;
}

} // namespace bench
