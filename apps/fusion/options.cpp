// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/options.hpp>

#include <fusion/kernels.hpp>

#include <common/program.hpp>

#include <algorithm>
#include <cstdint>

namespace fusion {

std::vector<std::string> all_variants() {
  return {"unfused", "kernels", "fused"};
}

std::vector<std::string> built_variants() {
  auto variants = all_variants();
  if (!kernels::available)
    std::erase(variants, "kernels");
  return variants;
}

bool options::wants(std::string const& variant) const {
  return std::find(variants.begin(), variants.end(), variant) != variants.end();
}

void add_options(CLI::App& cli, options& chosen) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  CLI::Validator const is_built(
      [](std::string& name) {
        return name == "kernels" && !kernels::available
                   ? std::string("'kernels' is not in this build: it was configured without Kokkos Kernels")
                   : std::string();
      },
      "");
  cli.add_option("--size", chosen.size, "Elements of each array")
      ->transform(apps::count(1, std::uint64_t{1} << 40))
      ->default_str("2^24");
  cli.add_option("--type", chosen.type, "Their type: float, double")
      ->check(apps::names({"float", "double"}))
      ->capture_default_str();
  cli.add_option("--ops", chosen.ops, "Operations of the chain")
      ->transform(apps::count(1, most))
      ->capture_default_str();
  apps::add_names(cli, "--variant", chosen.variants, all_variants(), "What to run")->check(is_built);
  cli.add_option("--repeat", chosen.repeat, "Timed samples of each variant")
      ->transform(apps::count(1, most))
      ->capture_default_str();
  cli.add_option("--json", chosen.json, "Write the results to this file, too");
}

} // namespace fusion
