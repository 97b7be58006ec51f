// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/options.hpp>

#include <heat1d/text.hpp>

#include <common/program.hpp>

#include <cmath>

namespace heat1d {

namespace {

void require_positive(char const* flag, double value) {
  if (!(value > 0) || std::isinf(value))
    throw apps::bad_input(std::string(flag) + " must be positive and finite, not " + shortest(value));
}

} // namespace

std::vector<std::string> all_variants() { return {"mirror", "resident", "region-per-step", "region", "march"}; }

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
  if (largest_dt == 0)
    throw apps::bad_input("--dx " + shortest(dx) + " and --alpha " + shortest(alpha) +
                          ": dx^2 / alpha is too small a number");
  if (!(dt <= largest_dt))
    throw apps::bad_input("--dt " + shortest(dt) +
                          " is unstable: the largest stable one is dx^2 / (2 alpha) = " + shortest(largest_dt));
  return dt / largest_dt / 2;
}

void add_options(CLI::App& cli, options& chosen) {
  cli.add_option("--cells", chosen.cells, "Cells, at least 3")
      ->type_name("N")
      ->transform(apps::count(3, std::uint64_t{1} << 40))
      ->default_str("2^18, or a file's length");
  cli.add_option("--steps", chosen.steps, "Time steps")
      ->type_name("N")
      ->transform(apps::count(0, std::uint64_t{1} << 40))
      ->capture_default_str();
  auto const add_number = [&](char const* flag, auto& value, char const* description) {
    return cli.add_option(flag, value, description)->type_name("X")->check(apps::number());
  };
  auto* const alpha = add_number("--alpha", chosen.alpha, "Diffusivity")->capture_default_str();
  auto* const dx = add_number("--dx", chosen.dx, "Width of a cell")->capture_default_str();
  auto* const dt = add_number("--dt", chosen.dt, "Time step")->capture_default_str();
  add_number("--r", chosen.r, "alpha dt / dx^2 instead of these three, up to 0.5")
      ->excludes(alpha)
      ->excludes(dx)
      ->excludes(dt);
  cli.add_option("--boundary", chosen.boundary, "Ends: fixed, insulated, periodic")
      ->type_name("NAME")
      ->check(apps::names({"fixed", "insulated", "periodic"}))
      ->capture_default_str();
  cli.add_option("--initial", chosen.initial,
                 "First state: sine (lowest mode of the ends), hat (1 in the middle third), random:SEED, FILE.npy")
      ->type_name("NAME")
      ->capture_default_str();
  apps::add_common_options(cli, chosen);
  apps::add_file(cli, "--output", chosen.output, "Write the last state to this .npy file");
}

} // namespace heat1d
