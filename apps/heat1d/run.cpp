// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/run.hpp>

#include <heat1d/boundary.hpp>
#include <heat1d/check.hpp>
#include <heat1d/exact.hpp>
#include <heat1d/initial.hpp>
#include <heat1d/march.hpp>
#include <heat1d/mirror.hpp>
#include <heat1d/npy.hpp>
#include <heat1d/region.hpp>
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

/// What a run takes of the host's memory: the first state, the serial run's state, what the largest variant has (all
/// but resident two arrays), and what is recorded of one that copies at each step.
template <class T>
std::size_t host_bytes(options const& chosen, std::size_t cells) {
  std::size_t const array = apps::bytes_for(cells, sizeof(T));
  bool const per_step = chosen.wants(mirror<T>::name) || chosen.wants(region_per_step<T>::name);
  if (!per_step)
    return apps::bytes_for(chosen.wants(region<T>::name) ? 4 : 3, array);
  constexpr std::size_t events_a_step = 36; // 4 copies with their fences and allocations, on several back ends
  constexpr std::size_t recorded = 2 * events_a_step * sizeof(onetrip::record); // an account is a copy
  auto const steps = static_cast<std::size_t>(std::min(chosen.steps, mirror<T>::watched_at_once));
  return apps::bytes_for(4, array) + steps * recorded;
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
void advance(Variant& variant, std::int64_t steps, task<T> const& job) {
  std::visit([&](auto ends) { variant.run(steps, job.r, ends); }, job.ends);
}

void add(onetrip::tally& sum, onetrip::tally const& more) {
  sum.count += more.count;
  sum.bytes += more.bytes;
}

/// A run whose transfers are counted. It goes by slices, so that what is recorded doesn't grow with the steps.
template <class Variant, class T>
void count_transfers(Variant& variant, task<T> const& job, result& found, apps::progress& progress) {
  std::string const text = found.name + ", a run that isn't timed";
  progress.show(text);
  std::int64_t done = 0;
  do {
    std::int64_t const steps = std::min(job.steps - done, Variant::watched_at_once);
    onetrip::recorder recorder(onetrip::watch::copies);
    if constexpr (requires { variant.device_u; }) // regions say it of theirs themselves
      recorder.stand_in(variant.device_u);
    if constexpr (requires { variant.device_v; })
      recorder.stand_in(variant.device_v);
    advance(variant, steps, job);
    onetrip::account const seen = recorder.so_far();
    add(found.to_device, seen.transfers(onetrip::to_device));
    add(found.to_host, seen.transfers(onetrip::to_host));
    done += steps;
    progress.show(text, done, job.steps);
  } while (done < job.steps);
}

/// One run that is watched and checked, then the timed ones.
template <class Variant, class T>
result run_variant(task<T> const& job, int repeat, apps::progress& progress) {
  result found;
  found.name = Variant::name;
  Variant variant(job.start.size());
  auto const set_start = [&] { std::copy(job.start.begin(), job.start.end(), variant.u.data()); };

  set_start();
  count_transfers(variant, job, found, progress);
  difference_from_serial(variant.u, job.answer, found.name);

  std::vector<double> samples;
  for (int i = 0; i < repeat; ++i) {
    progress.show(found.name + ", timed run " + std::to_string(i + 1) + " of " + std::to_string(repeat));
    set_start();
    Kokkos::fence("heat1d::run_variant::begin");
    Kokkos::Timer const timer;
    advance(variant, job.steps, job);
    Kokkos::fence("heat1d::run_variant::end");
    samples.push_back(timer.seconds());
  }
  found.seconds = apps::spread_of(std::move(samples));
  found.difference_from_serial = difference_from_serial(variant.u, job.answer, found.name);
  return found;
}

/// The files that the last state and the results go to.
struct output_files {
  std::optional<apps::output_file> state;
  std::optional<apps::output_file> json;

  explicit output_files(options const& chosen) {
    if (!chosen.output.empty())
      state.emplace(chosen.output);
    if (!chosen.json.empty())
      json.emplace(chosen.json);
    if (state && json && state->is_same_as(*json))
      throw apps::bad_input("--output and --json name the same file, '" + chosen.json + "'");
  }

  /// Both or none: each is written whole before the first appears.
  template <class T>
  void write(std::vector<T> const& last, nlohmann::ordered_json const& results) {
    if (state) {
      write_npy(state->stream(), last);
      state->finish();
    }
    if (json) {
      json->stream() << results.dump(2) << '\n';
      json->finish();
    }
    if (state)
      state->commit();
    if (json)
      json->commit();
  }
};

template <class T>
std::vector<T> serial_answer(task<T> const& job, apps::progress& progress) {
  std::string const text = "the serial run that all variants are checked against";
  progress.show(text);
  return serial<T>(job.start, job.steps, job.r, job.ends,
                   [&](std::int64_t done) { progress.show(text, done, job.steps); });
}

template <class T>
void run_with(options const& chosen, apps::kokkos_start const& start) {
  problem solved;
  solved.r = chosen.mesh_ratio();
  initial const how = initial_named(chosen.initial);
  solved.cells = cells_of<T>(chosen, how);
  output_files files(chosen);
  std::size_t const device_bytes = apps::bytes_for(2 * sizeof(T), solved.cells);
  apps::require_host_memory(host_bytes<T>(chosen, solved.cells), device_bytes);
  if (files.state)
    files.state->require_space(apps::bytes_for(solved.cells, sizeof(T)));
  boundary const ends = boundary_named(chosen.boundary);
  task<T> job{first_state<T>(how, solved.cells, ends), chosen.steps, static_cast<T>(solved.r), ends, {}};
  start();
  apps::require_device_memory(device_bytes);

  std::vector<result> results;
  auto context = apps::run_context("heat1d");
  std::cout << apps::heading(context) << settings_text(chosen, solved) << std::flush;
  {
    apps::progress progress;
    job.answer = serial_answer(job, progress);
    if (chosen.wants(mirror<T>::name))
      results.push_back(run_variant<mirror<T>>(job, chosen.repeat, progress));
    if (chosen.wants(resident<T>::name))
      results.push_back(run_variant<resident<T>>(job, chosen.repeat, progress));
    if (chosen.wants(region_per_step<T>::name))
      results.push_back(run_variant<region_per_step<T>>(job, chosen.repeat, progress));
    if (chosen.wants(region<T>::name))
      results.push_back(run_variant<region<T>>(job, chosen.repeat, progress));
    if (chosen.wants(march<T>::name))
      results.push_back(run_variant<march<T>>(job, chosen.repeat, progress));
  }
  if (std::holds_alternative<sine>(how))
    for (result& found : results) // the same bits, so the same error
      found.error_from_exact = error_from_exact(job.answer, job.steps, job.r, ends);

  files.write(job.answer, report_json(std::move(context), results, chosen, solved));
  std::cout << report_text(results, chosen, solved) << std::flush;
}

} // namespace

void run(options const& chosen, apps::kokkos_start const& start) {
  chosen.type == "float" ? run_with<float>(chosen, start) : run_with<double>(chosen, start);
}

} // namespace heat1d
