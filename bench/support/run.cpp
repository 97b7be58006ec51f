// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/run.hpp"

#include <common/memory_check.hpp>
#include <common/program.hpp>
#include <common/run_context.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace bench {

namespace {

/// Google Benchmark's JSON less its aggregates: who reads the rows computes medians over several processes.
class rows_only : public benchmark::JSONReporter {
  void ReportRuns(std::vector<Run> const& runs) override {
    if (runs.empty() || runs.front().run_type == Run::RT_Iteration)
      JSONReporter::ReportRuns(runs);
  }
};

/// Whether an argument starts with that.
bool has(std::vector<std::string_view> const& arguments, std::string_view flag) {
  return std::any_of(arguments.begin(), arguments.end(), [&](std::string_view a) { return a.starts_with(flag); });
}

/// What fits in the caches, and what doesn't.
std::vector<std::size_t> default_sizes() {
#ifdef KOKKOS_ENABLE_CUDA
  constexpr int largest = 28;
#else
  constexpr int largest = 26;
#endif
  return {std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{1} << 24, std::size_t{1} << largest};
}

void add_context(std::string const& program) {
  auto const context = apps::run_context(program);
  for (char const* const name : {"program", "version", "git", "device"})
    benchmark::AddCustomContext(name, context[name].get<std::string>());
  benchmark::AddCustomContext("kokkos", context["kokkos"]["version"].get<std::string>());
  benchmark::AddCustomContext("backend", context["kokkos"]["backend"].get<std::string>());
  benchmark::AddCustomContext("threads", context["threads"].dump());
  benchmark::AddCustomContext("compiler", ONETRIP_BENCH_COMPILER);
  benchmark::AddCustomContext("flags", ONETRIP_BENCH_FLAGS);
  for (char const* const name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES"})
    if (char const* const value = std::getenv(name))
      benchmark::AddCustomContext(name, value);
}

void print_help() {
  std::cout << "  [--sizes=N,N,...]  elements of an array, in digits or as 2^K\n"
               "and Google Benchmark's flags; repetitions are 15 where not given, 3 of rows that take seconds:\n";
  benchmark::PrintDefaultHelp();
}

} // namespace

int run(int argc, char** argv, program const& what) {
  std::vector<std::string_view> const given(argv + 1, argv + argc);
  bool const repetitions_given = has(given, "--benchmark_repetitions");
  // Google Benchmark takes the last of two.
  std::string usual_repetitions = "--benchmark_repetitions=15";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, usual_repetitions.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data(), print_help);

  CLI::App cli("Google Benchmark rows of a program's variants, with raw loops beside them.", what.name + "_bench");
  std::vector<std::size_t> sizes;
  cli.add_option("--sizes", sizes, "Elements of an array, separated by commas")
      ->type_name("N")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(apps::count(what.smallest_size, std::uint64_t{1} << 40));
  return apps::run_program(cli, count, arguments.data(), [&](apps::kokkos_start const& start) {
    bool const by_default = sizes.empty();
    if (by_default)
      sizes = default_sizes();
    std::size_t const largest = *std::max_element(sizes.begin(), sizes.end());
    apps::require_host_memory(what.host_bytes(largest), what.device_bytes(largest));
    suite rows(what.name, !repetitions_given);
    for (std::size_t const size : sizes)
      what.add_rows(rows, size, by_default);
    start();
    apps::require_device_memory(what.device_bytes(largest));
    add_context(what.name + "_bench");
    rows_only json, file;
    std::size_t const ran = benchmark::RunSpecifiedBenchmarks(has(given, "--benchmark_format=json") ? &json : nullptr,
                                                              has(given, "--benchmark_out=") ? &file : nullptr);
    benchmark::Shutdown();
    if (ran == 0)
      throw apps::bad_input("no row was run");
    if (rows.failure())
      throw apps::wrong_answer(*rows.failure());
  });
}

} // namespace bench
