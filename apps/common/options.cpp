// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/options.hpp>

#include <common/program.hpp>

#include <algorithm>

namespace apps {

bool common_options::wants(std::string const& variant) const {
  return std::find(variants.begin(), variants.end(), variant) != variants.end();
}

void add_common_options(CLI::App& cli, common_options& chosen) {
  cli.add_option("--type", chosen.type, "Type of the numbers: float, double")
      ->type_name("NAME")
      ->check(names({"float", "double"}))
      ->capture_default_str();
  add_names(cli, "--variant", chosen.variants, chosen.variants, "What to run");
  cli.add_option("--repeat", chosen.repeat, "Timed samples of each variant")
      ->type_name("N")
      ->transform(count(1, most_of_int))
      ->capture_default_str();
  add_file(cli, "--json", chosen.json, "Write the results to this file, too");
}

} // namespace apps
