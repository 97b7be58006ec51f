// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/options.hpp>

#include <fusion/kernels.hpp>

#include <common/program.hpp>

#include <cstdint>

namespace fusion {

std::vector<std::string> all_variants() { return {"unfused", "kernels", "fused", "expression"}; }

std::vector<std::string> built_variants() {
  auto variants = all_variants();
  if (!kernels::available)
    std::erase(variants, "kernels");
  return variants;
}

void add_options(CLI::App& cli, options& chosen) {
  CLI::Validator const is_built(
      [](std::string& name) {
        return name == "kernels" && !kernels::available
                   ? std::string("'kernels' is not in this build: it was configured without Kokkos Kernels")
                   : std::string();
      },
      "");
  cli.add_option("--size", chosen.size, "Elements of each array")
      ->type_name("N")
      ->transform(apps::count(1, std::uint64_t{1} << 40))
      ->default_str("2^24");
  cli.add_option("--ops", chosen.ops, "Operations of the chain")
      ->type_name("N")
      ->transform(apps::count(1, apps::most_of_int))
      ->capture_default_str();
  apps::add_common_options(cli, chosen);
  cli.get_option("--variant")->transform(is_built); // unlike a check, before the other checks
}

} // namespace fusion
