// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/run.hpp>

#include <fusion/arrays.hpp>
#include <fusion/chain.hpp>
#include <fusion/check.hpp>
#include <fusion/report.hpp>
#include <fusion/scaled_sum.hpp>

#include <common/memory_check.hpp>
#include <common/output_file.hpp>
#include <common/progress.hpp>
#include <common/run_context.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <iostream>
#include <optional>
#include <utility>

namespace fusion {

std::size_t count_kernels(std::function<void()> const& run) {
  onetrip::recorder const recorder;
  run();
  return recorder.so_far().of(onetrip::kind::kernel).count;
}

namespace {

template <class T, class Expected>
std::vector<result> run_case(std::string const& case_name, std::vector<variant> const& variants, Expected expected,
                             arrays<T> const& x, options const& chosen, apps::progress& progress) {
  std::vector<result> results;
  std::size_t const array_bytes = chosen.size * sizeof(T);
  for (variant const& v : variants) {
    if (!chosen.wants(v.name))
      continue;
    progress.show(case_name + ", " + v.name);
    result r;
    r.case_name = case_name;
    r.name = v.name;
    r.bytes_read = v.arrays.read * array_bytes;
    r.bytes_written = v.arrays.written * array_bytes;
    r.kernels = count_kernels(v.run);
    poison(x);
    r.seconds = apps::measure(chosen.repeat, v.run);
    r.max_error = largest_difference(x.out, expected, v.tolerance, case_name + ", " + v.name);
    results.push_back(std::move(r));
  }
  return results;
}

template <class T>
void run_with(options const& chosen, apps::kokkos_start const& start) {
  std::optional<apps::output_file> json;
  if (!chosen.json.empty())
    json.emplace(chosen.json);
  bool const with_temporaries = chosen.wants("unfused") || chosen.wants("kernels");
  std::size_t const bytes = apps::bytes_for(chosen.size, array_count(with_temporaries) * sizeof(T));
  apps::require_host_memory(0, bytes);
  start();
  apps::require_device_memory(bytes);

  auto context = apps::run_context("fusion");
  std::cout << apps::heading(context) << settings_text(chosen) << std::flush;

  std::vector<result> results;
  double copy_rate = 0;
  {
    apps::progress progress;
    progress.show("the arrays and their copy");
    arrays<T> const x = make_arrays<T>(chosen.size, with_temporaries);
    auto const copy = apps::measure(chosen.repeat, [&] { Kokkos::deep_copy(execution_space(), x.out, x.a); });
    copy_rate = 2e-9 * static_cast<double>(chosen.size * sizeof(T)) / copy.median;

    results = run_case("scaled_sum", scaled_sum_variants(x), scaled_sum_expected<T>, x, chosen, progress);
    auto const chain_answer = [ops = chosen.ops](std::int64_t i) { return chain_expected<T>(ops, i); };
    auto const of_chain = run_case("chain", chain_variants(x, chosen.ops), chain_answer, x, chosen, progress);
    results.insert(results.end(), of_chain.begin(), of_chain.end());
  }

  if (json) {
    json->stream() << report_json(std::move(context), results, copy_rate, chosen).dump(2) << '\n';
    json->finish();
    json->commit();
  }
  std::cout << report_text(results, copy_rate, chosen) << std::flush;
}

} // namespace

void run(options const& chosen, apps::kokkos_start const& start) {
  chosen.type == "float" ? run_with<float>(chosen, start) : run_with<double>(chosen, start);
}

} // namespace fusion
