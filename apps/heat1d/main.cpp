// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/options.hpp>
#include <heat1d/run.hpp>

#include <common/program.hpp>

int main(int argc, char** argv) {
  CLI::App cli("Steps the heat equation, and shows what it costs to copy arrays to the device and back at every step.",
               "heat1d");
  heat1d::options chosen;
  heat1d::add_options(cli, chosen);
  return apps::run_program(cli, argc, argv, [&](apps::kokkos_start const& start) { heat1d::run(chosen, start); });
}
