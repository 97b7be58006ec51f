// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "baselines/heat1d_answer.hpp"
#include "baselines/heat1d_march_raw.hpp"
#include "baselines/heat1d_raw.hpp"
#include "support/check.hpp"
#include "support/run.hpp"

#include <heat1d/boundary.hpp>
#include <heat1d/march.hpp>
#include <heat1d/mirror.hpp>
#include <heat1d/region.hpp>
#include <heat1d/resident.hpp>
#include <heat1d/step.hpp>

#include <common/memory_check.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// The rows of heat1d: case `run`, from a state in host memory to one there, and case `step`, the steps alone, on the
// device.

namespace {

namespace raw = baselines::raw;

template <class T>
constexpr T r = T(0.25);

/// Even, so that the state ends in the array that it started in.
constexpr std::int64_t steps_for(std::size_t cells) { return cells < (1 << 24) ? 2000 : 100; }

/// From there on a run takes too long to be one by default.
constexpr std::size_t largest_run = 1 << 24;

/// The arrays of all rows: those of the program's variants.
template <class T>
struct problem {
  problem(std::size_t cells, bool with_run)
      : answer(cells, steps_for(cells), r<T>), resident(cells), mirror(with_run ? cells : 0),
        march(with_run ? cells : 0),
        marcher(Kokkos::DefaultExecutionSpace(), cells, heat1d::heat_rule<T>{r<T>}, onetrip::fixed_ends{}) {
    region_per_step.u = region.u = mirror.u;
    region_per_step.v = region.v = mirror.v;
  }

  baselines::heat1d_answer<T> answer;
  heat1d::resident<T> resident;
  heat1d::mirror<T> mirror;
  heat1d::region_per_step<T> region_per_step{0}; // on mirror's arrays
  heat1d::region<T> region{0};
  heat1d::march<T> march;
  onetrip::marcher<Kokkos::DefaultExecutionSpace, heat1d::heat_rule<T>, onetrip::fixed_ends, T> marcher;
};

template <class T>
struct start_of {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return answer.start(i); }

  baselines::heat1d_answer<T> answer;
};

template <class T>
void set_to_start(heat1d::device_array<T> const& u, baselines::heat1d_answer<T> const& answer) {
  Kokkos::parallel_for(
      "bench::heat1d::start",
      Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(u.size())),
      KOKKOS_LAMBDA(std::int64_t i) { u(i) = answer.start(i); });
}

template <class View>
void poison(View const& u) {
  Kokkos::deep_copy(u, std::numeric_limits<typename View::value_type>::quiet_NaN());
}

/// What Kokkos starts and moves in `run`.
template <class T>
bench::counters seen(problem<T> const& p, std::function<void()> const& run) {
  onetrip::recorder recorder;
  recorder.stand_in(p.resident.device_u);
  recorder.stand_in(p.resident.device_v);
  recorder.stand_in(p.mirror.device_u);
  recorder.stand_in(p.mirror.device_v);
  recorder.stand_in(p.march.device_u);
  run();
  onetrip::account const all = recorder.so_far();
  onetrip::tally const in = all.transfers(onetrip::to_device), out = all.transfers(onetrip::to_host);
  return {{"kernels", static_cast<double>(all.of(onetrip::kind::kernel).count)},
          {"transfers_to_device", static_cast<double>(in.count)},
          {"transfers_to_host", static_cast<double>(out.count)},
          {"transfer_bytes", static_cast<double>(in.bytes + out.bytes)}};
}

/// What raw does in `run`, which a recorder doesn't see.
bench::counters declared(std::function<void()> const& run, std::int64_t kernels, int transfers_each_way,
                         std::size_t bytes_each_way) {
  run();
  return {{"kernels", static_cast<double>(kernels)},
          {"transfers_to_device", transfers_each_way},
          {"transfers_to_host", transfers_each_way},
          {"transfer_bytes", static_cast<double>(2 * bytes_each_way)}};
}

/// A row that takes `steps` steps.
template <class T>
bench::row stepping_row(std::string const& case_name, std::string const& variant, std::size_t cells,
                        std::int64_t steps) {
  bench::row made;
  made.case_name = case_name;
  made.variant = variant;
  made.bytes_read = made.bytes_written = static_cast<std::size_t>(steps) * cells * sizeof(T);
  made.how = bench::sampling::once;
  made.rates = [=](double seconds) -> bench::counters {
    auto const s = static_cast<double>(steps);
    return {{"steps", s},
            {"us_per_step", 1e6 * seconds / s},
            {"gcell_per_s", 1e-9 * s * static_cast<double>(cells) / seconds}};
  };
  return made;
}

/// From device_u to device_v.
template <class T>
bench::row copy_row(std::shared_ptr<problem<T>> const& p, std::size_t cells) {
  bench::row made;
  made.case_name = made.variant = "copy";
  made.bytes_read = made.bytes_written = cells * sizeof(T);
  made.prepare = [p] {
    set_to_start(p->resident.device_u, p->answer);
    poison(p->resident.device_v);
  };
  made.run = [p] { Kokkos::deep_copy(Kokkos::DefaultExecutionSpace(), p->resident.device_v, p->resident.device_u); };
  made.count = [run = made.run]() -> bench::counters {
    run();
    return {{"kernels", 0}};
  };
  made.check = [p] { return bench::largest_difference(p->resident.device_v, start_of<T>{p->answer}, 0, "copy"); };
  return made;
}

#ifndef KOKKOS_ENABLE_CUDA
/// Stepping where memory costs nothing: each thread steps an array of its own in the first cache, whatever the size.
template <class T>
void add_row_in_cache(std::vector<bench::row>& rows, std::shared_ptr<problem<T>> const& p) {
  constexpr std::int64_t cells = 1024, steps = 20'000;
  int const threads =
      p != nullptr ? Kokkos::DefaultExecutionSpace().concurrency() : 1; // an outline comes before Kokkos
  bench::row made = stepping_row<T>("step", "in_cache", static_cast<std::size_t>(threads * cells), steps);
  if (p != nullptr) {
    baselines::heat1d_answer<T> const answer(cells, steps, r<T>);
    heat1d::device_array<T> const u("bench::heat1d::in_cache", threads * cells),
        v("bench::heat1d::in_cache_v", u.size());
    made.prepare = [=] {
      for (std::int64_t i = 0; i < threads * cells; ++i)
        u(i) = answer.start(i % cells);
    };
    made.run = [=] { raw::steps_in_cache(u.data(), v.data(), steps, r<T>, cells, threads); };
    made.count = [run = made.run] { return declared(run, 1, 0, 0); };
    made.check = [=] {
      auto const of_each = KOKKOS_LAMBDA(std::int64_t i) { return answer(i % cells); };
      return bench::largest_difference(u, of_each, 0, "step, in_cache");
    };
  }
  rows.push_back(std::move(made));
}
#endif

/// The case step: device_u is advanced where it lies.
template <class T>
void add_step_rows(std::vector<bench::row>& rows, std::shared_ptr<problem<T>> const& p, std::size_t cells) {
  std::int64_t const steps = steps_for(cells);
  auto const add = [&](std::string const& variant) {
    bench::row made = stepping_row<T>("step", variant, cells, steps);
    made.prepare = [p] {
      set_to_start(p->resident.device_u, p->answer);
      poison(p->resident.device_v);
    };
    made.check = [p, variant] {
      return bench::largest_difference(p->resident.device_u, p->answer, 0, "step, " + variant);
    };
    return &rows.emplace_back(std::move(made));
  };

  bench::row* row = add("raw");
  row->run = [=] {
    raw::steps(p->resident.device_u.data(), p->resident.device_v.data(), steps, r<T>, static_cast<std::int64_t>(cells));
  };
  row->count = [steps, run = row->run] { return declared(run, steps, 0, 0); };

  row = add("resident");
  row->run = [=] {
    for (std::int64_t s = 0; s < steps; ++s) {
      heat1d::step("heat1d::resident::step", p->resident.device_u, p->resident.device_v, r<T>, heat1d::fixed_ends{});
      std::swap(p->resident.device_u, p->resident.device_v);
    }
  };
  row->count = [p, run = row->run] { return seen(*p, run); };

  row = add("march");
  row->run = [=] { p->marcher(p->resident.device_u, steps); };
  row->count = [p, run = row->run] { return seen(*p, run); };
  if (p != nullptr)
    row->bytes_read = row->bytes_written = p->marcher.cost(steps).bytes_moved / 2;
#ifdef KOKKOS_ENABLE_CUDA
  row->raw = "raw_march";
  row = add("raw_march");
  row->raw = "raw_march";
  if (p == nullptr)
    return;
  auto const raw_march = std::make_shared<raw::march<T>>(p->resident.device_u.data(), p->resident.device_v.data(), r<T>,
                                                         static_cast<std::int64_t>(cells), steps);
  row->bytes_read = row->bytes_written = static_cast<std::size_t>(raw_march->passes()) * cells * sizeof(T);
  row->run = [raw_march] { raw_march->run(); };
  row->count = [raw_march, run = row->run] { return declared(run, raw_march->passes(), 0, 0); };
#else
  add_row_in_cache(rows, p);
#endif
}

/// The case run: from a state in host memory to one there.
template <class T>
void add_run_rows(std::vector<bench::row>& rows, std::shared_ptr<problem<T>> const& p, std::size_t cells) {
  std::int64_t const steps = steps_for(cells);
  std::size_t const bytes = cells * sizeof(T);
  // `variant` has the member u; its other arrays on the device are poisoned.
  auto const add = [&](std::string const& name, auto problem<T>::* variant) {
    bench::row made = stepping_row<T>("run", name, cells, steps);
    made.prepare = [p, variant] {
      auto& v = (*p).*variant;
      set_to_start(p->resident.device_u, p->answer);
      Kokkos::deep_copy(v.u, p->resident.device_u);
      poison(p->resident.device_u);
      poison(p->resident.device_v);
      if constexpr (requires { v.device_u; })
        poison(v.device_u);
      if constexpr (requires { v.device_v; })
        poison(v.device_v);
    };
    made.check = [p, variant, name] {
      Kokkos::deep_copy(p->resident.device_u, ((*p).*variant).u);
      return bench::largest_difference(p->resident.device_u, p->answer, 0, "run, " + name);
    };
    return &rows.emplace_back(std::move(made));
  };

  bench::row* row = add("raw", &problem<T>::resident);
  row->run = [=] {
    auto const& v = p->resident;
    raw::copy(v.device_u.data(), v.u.data(), bytes);
    raw::steps(v.device_u.data(), v.device_v.data(), steps, r<T>, static_cast<std::int64_t>(cells));
    raw::copy(v.u.data(), v.device_u.data(), bytes);
  };
  row->count = [steps, bytes, run = row->run] { return declared(run, steps, 1, bytes); };

  row = add("mirror", &problem<T>::mirror);
  row->slow = true;
  row->run = [=] { p->mirror.run(steps, r<T>, heat1d::fixed_ends{}); };
  row->count = [p, run = row->run] { return seen(*p, run); };

  row = add("resident", &problem<T>::resident);
  row->run = [=] { p->resident.run(steps, r<T>, heat1d::fixed_ends{}); };
  row->count = [p, run = row->run] { return seen(*p, run); };

  row = add("region-per-step", &problem<T>::region_per_step);
  row->slow = true;
  row->run = [=] { p->region_per_step.run(steps, r<T>, heat1d::fixed_ends{}); };
  row->count = [p, run = row->run] { return seen(*p, run); };

  row = add("region", &problem<T>::region);
  row->run = [=] { p->region.run(steps, r<T>, heat1d::fixed_ends{}); };
  row->count = [p, run = row->run] { return seen(*p, run); };

  row = add("march", &problem<T>::march);
  row->run = [=] { p->march.run(steps, r<T>, heat1d::fixed_ends{}); };
  row->count = [p, run = row->run] { return seen(*p, run); };
  if (p != nullptr)
    row->bytes_read = row->bytes_written = p->marcher.cost(steps).bytes_moved / 2;
}

/// The rows on `p`, which the outline goes without.
template <class T>
std::vector<bench::row> rows_on(std::shared_ptr<problem<T>> const& p, std::size_t cells, bool with_run) {
  std::vector<bench::row> rows{copy_row(p, cells)};
  add_step_rows(rows, p, cells);
  if (with_run)
    add_run_rows(rows, p, cells);
  return rows;
}

template <class T>
void add_rows(bench::suite& suite, std::string const& type, std::size_t cells, bool by_default) {
  bool const with_run = !by_default || cells <= largest_run;
  suite.add(type, cells, rows_on<T>(nullptr, cells, with_run),
            [=] { return rows_on(std::make_shared<problem<T>>(cells, with_run), cells, with_run); });
}

} // namespace

int main(int argc, char** argv) {
  bench::program heat1d_bench;
  heat1d_bench.name = "heat1d";
  heat1d_bench.smallest_size = 3;
  heat1d_bench.host_bytes = [](std::size_t cells) { return apps::bytes_for(cells, 4 * sizeof(double)); };
  heat1d_bench.device_bytes = [](std::size_t cells) { return apps::bytes_for(cells, 9 * sizeof(double)); };
  heat1d_bench.add_rows = [](bench::suite& suite, std::size_t cells, bool by_default) {
    add_rows<double>(suite, "double", cells, by_default);
    add_rows<float>(suite, "float", cells, by_default);
  };
  return bench::run(argc, argv, heat1d_bench);
}
