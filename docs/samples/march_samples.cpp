// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What docs/march.md shows, each with its answer.
#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>

using execution_space = Kokkos::DefaultExecutionSpace;
using field = Kokkos::View<double*>;

// clang-format off: short functions on one line
struct heat {
  double r;
  KOKKOS_FUNCTION double operator()(double left, double centre, double right) const {
    return Kokkos::fma(r, Kokkos::fma(-2.0, centre, left + right), centre);
  }
};
// clang-format on

void cool(execution_space const& exec, field const& u) {
  onetrip::marcher m(exec, u.extent(0), heat{0.25}, onetrip::fixed_ends{});
  m(u, 100'000); // u after 100,000 steps
}

// Burgers' equation, upwind for waves that run to the right: only fused products, so the same bits by every path
struct burgers {
  double c; // dt / (2 dx)

  KOKKOS_FUNCTION double operator()(double left, double centre, double) const {
    return Kokkos::fma(-c, Kokkos::fma(centre, centre, -(left * left)), centre);
  }
};

// layers of different materials, and what flows in at the left end
struct layers {
  Kokkos::View<double const*> r;

  KOKKOS_FUNCTION double operator()(double left, double centre, double right, std::int64_t i, std::int64_t) const {
    return Kokkos::fma(r(i), Kokkos::fma(-2.0, centre, left + right), centre);
  }
};

struct tide {
  double per_step;

  KOKKOS_FUNCTION double operator()(onetrip::end where, std::int64_t step) const {
    return where == onetrip::end::left ? Kokkos::sin(per_step * static_cast<double>(step)) : 0;
  }
};

void flood(execution_space const& exec, field const& u, field const& r) {
  onetrip::marcher m(exec, u.extent(0), layers{r}, onetrip::driven_ends{tide{0.001}});
  m(u, 1000);       // the steps 0 to 999
  m(u, 1000, 1000); // and on
}

// an automaton: rule 110, a cell a float
struct rule110 {
  KOKKOS_FUNCTION float operator()(float left, float centre, float right) const {
    bool const alive = centre != right || (centre == 1 && left == 0);
    return alive ? 1.0F : 0.0F;
  }
};

void live(execution_space const& exec, Kokkos::View<float*> const& cells) {
  onetrip::march(exec, cells, 500, rule110{}, onetrip::periodic_ends{});
}

namespace {

auto on_host(auto const& view) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view); }

TEST(march_samples, cool) {
  constexpr std::size_t n = 33;
  field const u("u", n);
  auto const h = Kokkos::create_mirror_view(u);
  for (std::size_t i = 0; i < n; ++i)
    h(i) = static_cast<double>(i % 2 + i);
  Kokkos::deep_copy(u, h);
  cool(execution_space(), u);
  auto const end = on_host(u);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(end(i), static_cast<double>(i), 1e-11); // a straight line between the ends
}

TEST(march_samples, burgers_by_tiles_has_the_bits_of_stepping) {
  constexpr std::size_t n = 5000;
  field const u("u", n), v("v", n);
  auto const h = Kokkos::create_mirror_view(u);
  for (std::size_t i = 0; i < n; ++i)
    h(i) = 1.5 + std::sin(2 * std::numbers::pi * static_cast<double>(i) / n);
  Kokkos::deep_copy(u, h);
  Kokkos::deep_copy(v, h);
  onetrip::march(execution_space(), u, 200, burgers{0.1}, onetrip::periodic_ends{});
  onetrip::march(execution_space(), v, 200, burgers{0.1}, onetrip::periodic_ends{},
                 {.path = onetrip::march_path::stepping});
  auto const a = on_host(u), b = on_host(v);
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_EQ(a(i), b(i));
}

TEST(march_samples, flood) {
  field const u("u", 4000), r("r", 4000);
  Kokkos::deep_copy(r, 0.25);
  flood(execution_space(), u, r);
  auto const end = on_host(u);
  EXPECT_EQ(end(3999), 0);
  EXPECT_NEAR(end(0), std::sin(0.001 * 1999), 1e-15);
  EXPECT_GT(end(10), 0.5);
}

TEST(march_samples, live) {
  Kokkos::View<float*> const cells("cells", 3000);
  Kokkos::deep_copy(Kokkos::subview(cells, 2999), 1.0F);
  live(execution_space(), cells);
  auto const end = on_host(cells);
  int alive = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    EXPECT_TRUE(end(i) == 0 || end(i) == 1);
    alive += end(i) == 1 ? 1 : 0;
  }
  EXPECT_EQ(end(2999), 1); // the right edge of rule 110 from one cell stays
  EXPECT_EQ(end(2999 - 501), 0);
  EXPECT_GT(alive, 100);
}

} // namespace
