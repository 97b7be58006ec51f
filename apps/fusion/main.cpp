// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/options.hpp>
#include <fusion/run.hpp>

#include <common/program.hpp>

int main(int argc, char** argv) {
  CLI::App cli("Shows what it costs to compute element by element in many kernels, and what one kernel saves.",
               "fusion");
  fusion::options chosen;
  fusion::add_options(cli, chosen);
  return apps::run_program(cli, argc, argv, [&](apps::kokkos_start const& start) { fusion::run(chosen, start); });
}
