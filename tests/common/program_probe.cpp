// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program that does what its flag says, so that program_probe_test.py can see what run_program makes of it.

#include <common/program.hpp>
#include <common/progress.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <iostream>
#include <new>

namespace {

void act(std::string const& what, apps::kokkos_start const& start) {
  if (what == "early_bad_input")
    throw apps::bad_input("needs more");
  start();
  if (what == "bad_input")
    throw apps::bad_input("needs more");
  if (what == "wrong_answer")
    throw apps::wrong_answer("element 3 is 1, expected 2");
  if (what == "bad_alloc")
    throw std::bad_alloc();
  if (what == "onetrip_error")
    throw onetrip::error("onetrip::recorder: a rule\nis broken\n");
  if (what == "huge_view")
    Kokkos::View<char*, Kokkos::HostSpace> const huge("huge", std::size_t{1} << 60);
  if (what == "progress") {
    apps::progress progress;
    progress.show("too early");
    progress.show("in time");
    std::cin.get(); // the test says when the line has been drawn
    for (int step = 1; step <= 4; ++step)
      progress.show("steps", step, 400);
    for (int step = 1; step <= 400; step += 3)
      progress.show("steps", step, 400'000);
  }
  std::cout << "done\n";
}

} // namespace

int main(int argc, char** argv) {
  CLI::App cli("Does as told.", "program_probe");
  std::string what;
  cli.add_option("what", what);
  return apps::run_program(cli, argc, argv, [&](apps::kokkos_start const& start) { act(what, start); });
}
