// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The solver of jacobi/, held to what it may move, to the byte.
#include <onetrip/onetrip.hpp>

#include "jacobi/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

/// The same by plain loops.
std::vector<double> solved(jacobi::field const& u, jacobi::field const& f, int steps) {
  std::vector<double> now = u.values, next = now;
  for (int s = 0; s < steps; ++s, now.swap(next))
    for (std::size_t i = 1; i + 1 < u.rows; ++i)
      for (std::size_t k = i * u.columns + 1; k + 1 < (i + 1) * u.columns; ++k)
        next[k] = 0.25 * (now[k - u.columns] + now[k + u.columns] + now[k - 1] + now[k + 1] + f.values[k]);
  return now;
}

void expect_near(std::vector<double> const& found, std::vector<double> const& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    ASSERT_NEAR(found[k], expected[k], 1e-12) << k;
}

TEST(jacobi_budget, is_two_uploads_and_a_download_an_output) {
  onetrip::set_default_alias(onetrip::alias::distinct); // a forgotten update is NaN, on a CPU too
  for (int const steps : {0, 1, 10, 11, 25}) {
    jacobi::field u{21, 34}, f{21, 34};
    for (std::size_t k = 0; k < u.values.size(); ++k) {
      u.values[k] = static_cast<double>(k * k % 31);
      f.values[k] = 1e-3 * static_cast<double>(k % 7);
    }
    jacobi::field const start = u, source = f;
    std::size_t const bytes = u.values.size() * sizeof(double);

    onetrip::recorder const rec(onetrip::watch::copies);
    std::size_t outputs = 0;
    jacobi::solve(u, f, steps, 5, [&](int step, std::vector<double> const& state, double change) {
      ++outputs;
      expect_near(state, solved(start, source, step));
      EXPECT_TRUE(std::isfinite(change) && change > 0);
    });

    expect_near(u.values, solved(start, source, steps));
    EXPECT_EQ(rec.transfers(onetrip::to_device), (onetrip::tally{2, 2 * bytes})) << rec;
    std::size_t const downloads = outputs + (steps > 0 ? 1 : 0);
    EXPECT_EQ(rec.transfers(onetrip::to_host), (onetrip::tally{downloads, downloads * bytes})) << rec;
  }
  onetrip::set_default_alias(onetrip::alias::automatic);
}
