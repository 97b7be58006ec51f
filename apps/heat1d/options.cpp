// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/options.hpp>

#include <heat1d/text.hpp>

#include <common/program.hpp>

#include <algorithm>
#include <cmath>

namespace heat1d {

namespace {

void require_positive(char const* flag, double value) {
  if (!(value > 0) || std::isinf(value))
    throw apps::bad_input(std::string(flag) + " must be positive and finite, not " + shortest(value));
}

} // namespace

std::vector<std::string> all_variants() {
  return {"mirror", "resident"};
}

bool options::wants(std::string const& variant) const {
  return std::find(variants.begin(), variants.end(), variant) != variants.end();
}

double options::mesh_ratio() const {
  if (r) {
    if (!(*r >= 0 && *r <= 0.5))
      throw apps::bad_input("--r must be from 0 to 0.5, the largest stable one, not " + shortest(*r));
    return *r;
  }
  require_positive("--alpha", alpha);
  require_positive("--dx", dx);
  require_positive("--dt", dt);
  double const largest_dt = dx / alpha * dx / 2;
  if (!(dt <= largest_dt))
    throw apps::bad_input("--dt " + shortest(dt) +
                          " is unstable: the largest stable one is dx^2 / (2 alpha) = " + shortest(largest_dt));
  return dt / largest_dt / 2;
}

void add_options(CLI::App& cli, options& chosen) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  cli.add_option("--cells", chosen.cells, "Cells, at least 3")
      ->transform(apps::count(3, std::uint64_t{1} << 40))
      ->default_str("2^18, or a file's length");
  cli.add_option("--steps", chosen.steps, "Time steps")
      ->transform(apps::count(0, std::uint64_t{1} << 40))
      ->capture_default_str();
  auto* const alpha = cli.add_option("--alpha", chosen.alpha, "Diffusivity")->capture_default_str();
  auto* const dx = cli.add_option("--dx", chosen.dx, "Width of a cell")->capture_default_str();
  auto* const dt = cli.add_option("--dt", chosen.dt, "Time step")->capture_default_str();
  cli.add_option("--r", chosen.r, "alpha dt / dx^2 instead of these three, up to 0.5")
      ->excludes(alpha)
      ->excludes(dx)
      ->excludes(dt);
  cli.add_option("--boundary", chosen.boundary, "Ends: fixed, insulated, periodic")
      ->check(apps::names({"fixed", "insulated", "periodic"}))
      ->capture_default_str();
  cli.add_option("--initial", chosen.initial,
                 "First state: sine (lowest mode of the ends), hat (1 in the middle third), random:SEED, FILE.npy")
      ->capture_default_str();
  cli.add_option("--type", chosen.type, "Type of the numbers: float, double")
      ->check(apps::names({"float", "double"}))
      ->capture_default_str();
  apps::add_names(cli, "--variant", chosen.variants, all_variants(), "Variants, separated by commas");
  cli.add_option("--repeat", chosen.repeat, "Timed runs of each variant")
      ->transform(apps::count(1, most))
      ->capture_default_str();
  cli.add_option("--output", chosen.output, "Write the last state to this .npy file");
  cli.add_option("--json", chosen.json, "Write the results to this file, too");
}

} // namespace heat1d
