// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/run.hpp>

#include <heat1d/boundary.hpp>
#include <heat1d/check.hpp>
#include <heat1d/exact.hpp>
#include <heat1d/initial.hpp>
#include <heat1d/mirror.hpp>
#include <heat1d/npy.hpp>
#include <heat1d/report.hpp>
#include <heat1d/resident.hpp>
#include <heat1d/serial.hpp>

#include <common/memory_check.hpp>
#include <common/output_file.hpp>
#include <common/program.hpp>
#include <common/progress.hpp>
#include <common/run_context.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heat1d {

namespace {

template <class T>
std::size_t cells_of(options const& chosen, initial const& how) {
  constexpr std::size_t usual = std::size_t{1} << 18;
  auto const* const file = std::get_if<from_file>(&how);
  if (file == nullptr)
    return chosen.cells.value_or(usual);
  std::size_t const length = npy_length<T>(file->path);
  if (chosen.cells.value_or(length) != length)
    throw apps::bad_input("--cells " + std::to_string(*chosen.cells) + ", but '" + file->path + "' holds " +
                          std::to_string(length) + " values");
  if (length < 3)
    throw apps::bad_input("'" + file->path + "' holds " + std::to_string(length) + " values, fewer than 3 cells");
  return length;
}

/// The first state, the serial run's state, and what the largest variant has; two arrays on the device.
template <class T>
void require_memory_for(options const& chosen, std::size_t cells) {
  std::size_t const array = apps::bytes_for(cells, sizeof(T));
  std::size_t const host_arrays = chosen.wants("mirror") ? 4 : 3;
  // A step of mirror is 4 copies with at most 3 fences each; the recorder keeps them, and its account copies them.
  std::size_t const recorded = chosen.wants("mirror") ? 2 * 16 * sizeof(onetrip::record) : 0;
  auto const steps = static_cast<std::size_t>(chosen.steps);
  apps::require_memory(host_arrays * array + apps::bytes_for(steps, recorded), 2 * array);
}

/// What all variants compute, and the answer.
template <class T>
struct task {
  std::vector<T> start;
  std::int64_t steps;
  T r;
  boundary ends;
  std::vector<T> answer;
};

template <class Variant, class T>
void advance(Variant& variant, task<T> const& job) {
  std::visit([&](auto ends) { variant.run(job.steps, job.r, ends); }, job.ends);
}

/// One run that is watched and checked, then the timed ones.
template <class Variant, class T>
result run_variant(task<T> const& job, int repeat, apps::progress& progress) {
  result found;
  found.name = Variant::name;
  Variant variant(job.start.size());
  auto const set_start = [&] { std::copy(job.start.begin(), job.start.end(), variant.u.data()); };

  progress.show(found.name + ", a run that isn't timed");
  set_start();
  {
    onetrip::recorder recorder(onetrip::watch::copies);
    recorder.stand_in(variant.device_u);
    recorder.stand_in(variant.device_v);
    advance(variant, job);
    onetrip::account const seen = recorder.so_far();
    found.to_device = seen.transfers(onetrip::to_device);
    found.to_host = seen.transfers(onetrip::to_host);
  }
  difference_from_serial(variant.u, job.answer, found.name);

  std::vector<double> samples;
  for (int i = 0; i < repeat; ++i) {
    progress.show(found.name + ", timed run " + std::to_string(i + 1) + " of " + std::to_string(repeat));
    set_start();
    Kokkos::fence("heat1d::run_variant::begin");
    Kokkos::Timer const timer;
    advance(variant, job);
    Kokkos::fence("heat1d::run_variant::end");
    samples.push_back(timer.seconds());
  }
  found.seconds = apps::spread_of(std::move(samples));
  found.difference_from_serial = difference_from_serial(variant.u, job.answer, found.name);
  return found;
}

template <class T>
void run_with(options const& chosen) {
  problem solved;
  solved.r = chosen.mesh_ratio();
  initial const how = initial_named(chosen.initial);
  solved.cells = cells_of<T>(chosen, how);
  std::optional<apps::output_file> output;
  std::optional<apps::output_file> json;
  if (!chosen.output.empty())
    output.emplace(chosen.output);
  if (!chosen.json.empty())
    json.emplace(chosen.json);
  require_memory_for<T>(chosen, solved.cells);

  std::vector<result> results;
  auto context = apps::run_context("heat1d");
  boundary const ends = boundary_named(chosen.boundary);
  task<T> job{first_state<T>(how, solved.cells, ends), chosen.steps, static_cast<T>(solved.r), ends, {}};
  std::cout << apps::heading(context) << settings_text(chosen, solved) << std::flush;
  {
    apps::progress progress;
    progress.show("the serial run that all variants are checked against");
    job.answer = serial(job.start, job.steps, job.r, ends);
    if (chosen.wants(mirror<T>::name))
      results.push_back(run_variant<mirror<T>>(job, chosen.repeat, progress));
    if (chosen.wants(resident<T>::name))
      results.push_back(run_variant<resident<T>>(job, chosen.repeat, progress));
  }
  if (std::holds_alternative<sine>(how))
    for (result& found : results) // the same bits, so the same error
      found.error_from_exact = error_from_exact(job.answer, job.steps, job.r, ends);

  std::cout << report_text(results, chosen, solved) << std::flush;
  if (output) {
    write_npy(output->stream(), job.answer);
    output->commit();
  }
  if (json) {
    json->stream() << report_json(std::move(context), results, chosen, solved).dump(2) << '\n';
    json->commit();
  }
}

} // namespace

void run(options const& chosen) {
  chosen.type == "float" ? run_with<float>(chosen) : run_with<double>(chosen);
}

} // namespace heat1d
