// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/run.hpp>

#include <fusion/cases.hpp>
#include <fusion/check.hpp>
#include <fusion/report.hpp>

#include <common/memory_check.hpp>
#include <common/output_file.hpp>
#include <common/progress.hpp>
#include <common/run_context.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
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

/// Where a run's results go, and what shows how far it is.
struct report_to {
  std::vector<result>& results;
  apps::progress& progress;
};

template <class Case>
void run_case(Case const& c, std::string const& type, double copy_rate, options const& chosen, report_to const& to) {
  std::size_t const array_bytes = chosen.size * sizeof(typename Case::value_type);
  for (variant const& v : c.variants()) {
    if (!chosen.wants(v.name))
      continue;
    std::string const who = std::string(c.name) + ", " + v.name;
    to.progress.show(who);
    result r;
    r.case_name = c.name;
    r.formula = c.formula();
    r.name = v.name;
    r.type = type;
    r.copy_rate = copy_rate;
    r.bytes_read = v.arrays.read * array_bytes;
    r.bytes_written = v.arrays.written * array_bytes;
    r.kernels = count_kernels(v.run);
    c.prepare();
    r.seconds = apps::measure(chosen.repeat, v.run);
    if (c.in_place) {
      c.prepare();
      v.run();
    }
    c.for_each_answer([&](auto const& answer, auto const& expected) {
      r.max_error = std::max(r.max_error, largest_difference(answer, expected, v.tolerance, who));
    });
    to.results.push_back(std::move(r));
  }
}

/// The chosen ones of the cases that have these arrays.
template <class Arrays>
void run_cases(Arrays const& x, std::string const& type, options const& chosen, report_to const& to) {
  to.progress.show("the arrays and their copy");
  auto const copy = apps::measure(chosen.repeat, [&] { copy_once(x); });
  double const bytes = static_cast<double>(size_of(x) * sizeof(typename Arrays::value_type));
  double const copy_rate = 2e-9 * bytes / copy.median;
  for_each_case(x, chosen.ops, [&](auto const& c) {
    if (chosen.wants_case(c.name))
      run_case(c, type, copy_rate, chosen, to);
  });
}

template <class T>
void run_with(options const& chosen, apps::kokkos_start const& start) {
  std::optional<apps::output_file> json;
  if (!chosen.json.empty())
    json.emplace(chosen.json);
  bool const with_temporaries = chosen.wants("unfused") || chosen.wants("kernels");
  bool const with_adamw = chosen.wants_case(adamw_case::name);
  bool const with_others = !with_adamw || chosen.cases.size() > 1;
  std::size_t const element = with_others ? sizeof(T) : sizeof(float);
  std::size_t const bytes = apps::bytes_for(chosen.size, array_count(with_temporaries) * element);
  apps::require_host_memory(0, bytes);
  start();
  apps::require_device_memory(bytes);

  auto context = apps::run_context("fusion");
  std::cout << apps::heading(context) << settings_text(chosen) << std::flush;

  std::vector<result> results;
  {
    apps::progress progress;
    report_to const to{results, progress};
    if (with_others)
      run_cases(make_arrays<T>(chosen.size, with_temporaries), chosen.type, chosen, to);
    if (with_adamw)
      run_cases(make_adamw_arrays(chosen.size, with_temporaries), "float", chosen, to);
  }

  if (json) {
    json->stream() << report_json(std::move(context), results, chosen).dump(2) << '\n';
    json->finish();
    json->commit();
  }
  std::cout << report_text(results, chosen) << std::flush;
}

} // namespace

void run(options const& chosen, apps::kokkos_start const& start) {
  chosen.type == "float" ? run_with<float>(chosen, start) : run_with<double>(chosen, start);
}

} // namespace fusion
