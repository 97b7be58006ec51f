// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/options.hpp>

#include <fusion/cases.hpp>

#include <common/program.hpp>

#include <algorithm>
#include <cstdint>

namespace fusion {

std::vector<std::string> all_variants() { return {"unfused", "kernels", "fused", "expression"}; }

std::vector<std::string> built_variants() {
  auto variants = all_variants();
  if (!kernels::available)
    std::erase(variants, "kernels");
  return variants;
}

namespace {

/// `f(a case)` for each, on no arrays.
template <class F>
void for_each_outline(F const& f) {
  for_each_case(arrays<double>{}, 1, f);
  for_each_case(adamw_arrays{}, 1, f);
}

} // namespace

std::vector<std::string> all_cases() {
  std::vector<std::string> names;
  for_each_outline([&names](auto const& c) { names.emplace_back(c.name); });
  return names;
}

bool options::wants_case(std::string const& name) const {
  return std::find(cases.begin(), cases.end(), name) != cases.end();
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
  auto* const cases = apps::add_names(cli, "--case", chosen.cases, chosen.cases, "What to compute");
  apps::add_common_options(cli, chosen);
  cli.get_option("--variant")->transform(is_built); // unlike a check, before the other checks
  auto* const type = cli.get_option("--type");
  cli.callback([&chosen, cases, type] {
    std::string const in_float = adamw_case::name;
    if (type->empty() && chosen.cases == std::vector{in_float})
      chosen.type = "float";
    if (!type->empty() && chosen.type != "float" && chosen.wants_case(in_float)) {
      if (!cases->empty())
        throw CLI::ValidationError("--type", "the case '" + in_float + "' is in float only");
      std::erase(chosen.cases, in_float);
      chosen.left_out = in_float;
    }
    bool any = false;
    for_each_outline([&](auto const& c) {
      for (variant const& v : c.variants())
        any = any || (chosen.wants_case(c.name) && chosen.wants(v.name));
    });
    if (!any)
      throw CLI::ValidationError("--variant", "the chosen cases have none of the chosen variants");
  });
}

} // namespace fusion
