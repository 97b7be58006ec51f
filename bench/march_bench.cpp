// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "baselines/heat1d_march_raw.hpp"
#include "support/check.hpp"
#include "support/run.hpp"

#include <common/memory_check.hpp>
#include <heat1d/march.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// The rows of march. Case `ends`: the heat equation with each sort of ends, with coefficients, and Burgers' equation,
// as a marcher cuts them by itself. Case `tile`: the heat equation with fixed ends by each tile and depth, `points of a
// lane`x`depth`, from which the marcher's table is made.

namespace {

using device = Kokkos::DefaultExecutionSpace;
template <class T>
using array = Kokkos::View<T*>;

constexpr std::int64_t steps_for(std::size_t points) { return points < (1 << 24) ? 2000 : 100; }

template <class T>
struct heat_of_layers {
  Kokkos::View<T const*> r;

  KOKKOS_FUNCTION T operator()(T left, T centre, T right, std::int64_t i, std::int64_t) const {
    return Kokkos::fma(r(i), Kokkos::fma(T(-2), centre, left + right), centre);
  }
};

/// Six operations where heat has three.
template <class T>
struct burgers {
  T c, viscosity;

  KOKKOS_FUNCTION T operator()(T left, T centre, T right) const {
    T const advected = Kokkos::fma(-c, Kokkos::fma(right, right, -(left * left)), centre);
    return Kokkos::fma(viscosity, Kokkos::fma(T(-2), centre, left + right), advected);
  }
};

template <class T>
struct pulse {
  KOKKOS_FUNCTION T operator()(onetrip::end where, std::int64_t step) const {
    return where == onetrip::end::left ? T(step % 16) / 16 : T(0.5);
  }
};

template <class T>
struct start {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const {
    auto const bits = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U;
    return static_cast<T>(bits >> 44) / T(1 << 20);
  }
};

template <class T>
struct set_to_start {
  array<T> u;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { u(i) = start<T>()(i); }
};

template <class T>
void prepare(array<T> const& u) {
  Kokkos::parallel_for("bench::march::start",
                       Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(u.size())),
                       set_to_start<T>{u});
}

/// The arrays of all rows: the one that is marched, and what it should be.
template <class T>
struct problem {
  explicit problem(std::size_t points) : u("bench::march::u", points), expected("bench::march::expected", points) {}

  array<T> u, expected;
};

template <class T>
struct rows_of {
  std::shared_ptr<problem<T>> p; ///< none in an outline
  std::size_t points;
  std::int64_t steps = steps_for(points);
  std::vector<bench::row> rows{};

  bench::row& add(std::string const& case_name, std::string const& variant) {
    bench::row made;
    made.case_name = case_name;
    made.variant = variant;
    made.how = bench::sampling::once;
    made.prepare = [p = p] { prepare(p->u); };
    made.rates = [s = static_cast<double>(steps), n = static_cast<double>(points)](double seconds) -> bench::counters {
      return {{"steps", s}, {"us_per_step", 1e6 * seconds / s}, {"gcell_per_s", 1e-9 * s * n / seconds}};
    };
    return rows.emplace_back(std::move(made));
  }

  template <class Rule, class Ends>
  void add_march(std::string const& case_name, std::string const& variant, Rule const& rule, Ends const& ends,
                 onetrip::march_tuning const& tuning) {
    bench::row& made = add(case_name, variant);
#ifndef KOKKOS_ENABLE_CUDA
    made.raw = "stepping";
#endif
    if (p == nullptr)
      return;
    auto const m = std::make_shared<onetrip::marcher<device, Rule, Ends, T>>(device(), points, rule, ends, tuning);
    onetrip::march_cost const cost = m->cost(steps);
    made.bytes_read = made.bytes_written = cost.bytes_moved / 2;
    made.run = [=, u = p->u, steps = steps] { (*m)(u, steps); };
    made.count = [run = made.run, cost]() -> bench::counters {
      onetrip::recorder recorder;
      run();
      return {{"kernels", static_cast<double>(recorder.so_far().of(onetrip::kind::kernel).count)},
              {"depth", cost.depth},
              {"redundant_work", cost.redundant_work}};
    };
    made.check = [=, p = p, points = points, steps = steps] {
      prepare(p->expected);
      onetrip::marcher<device, Rule, Ends, T> stepping(device(), points, rule, ends,
                                                       {.path = onetrip::march_path::stepping});
      stepping(p->expected, steps);
      return bench::largest_difference(p->u, p->expected, 0, case_name + ", " + variant);
    };
  }

  void add_copy() {
    bench::row& made = add("copy", "copy");
    made.rates = nullptr;
    made.how = bench::sampling::in_a_row;
    made.bytes_read = made.bytes_written = points * sizeof(T);
    made.run = [p = p] { Kokkos::deep_copy(device(), p->expected, p->u); };
    made.count = [run = made.run]() -> bench::counters {
      run();
      return {{"kernels", 0}};
    };
    made.check = [p = p] { return bench::largest_difference(p->expected, start<T>(), 0, "copy"); };
  }

  void add_raw([[maybe_unused]] std::string const& case_name) {
#ifdef KOKKOS_ENABLE_CUDA
    bench::row& made = add(case_name, "raw");
    if (p == nullptr)
      return;
    auto const raw = std::make_shared<baselines::raw::march<T>>(p->u.data(), p->expected.data(), T(0.25),
                                                                static_cast<std::int64_t>(points), steps);
    made.bytes_read = made.bytes_written = static_cast<std::size_t>(raw->passes()) * points * sizeof(T);
    made.run = [raw] { raw->run(); };
    made.count = [raw]() -> bench::counters {
      raw->run();
      return {{"kernels", static_cast<double>(raw->passes())}};
    };
    made.check = [=, p = p, points = points, steps = steps] {
      prepare(p->expected);
      onetrip::march(device(), p->expected, steps, heat1d::heat_rule<T>{T(0.25)}, onetrip::fixed_ends{},
                     {.path = onetrip::march_path::stepping});
      return bench::largest_difference(p->u, p->expected, 0, case_name + ", raw");
    };
#endif
  }
};

template <class T>
std::vector<bench::row> rows_on(std::shared_ptr<problem<T>> const& p, std::size_t points) {
  heat1d::heat_rule<T> const rule{T(0.25)};
  rows_of<T> all{p, points};
  all.add_copy();
  all.add_raw("ends");
  all.add_march("ends", "stepping", rule, onetrip::fixed_ends{}, {.path = onetrip::march_path::stepping});
  all.add_march("ends", "fixed", rule, onetrip::fixed_ends{}, {});
  all.add_march("ends", "insulated", rule, onetrip::insulated_ends{}, {});
  all.add_march("ends", "periodic", rule, onetrip::periodic_ends{}, {});
  all.add_march("ends", "driven", rule, onetrip::driven_ends{pulse<T>()}, {});
  heat_of_layers<T> layers;
  if (p != nullptr) {
    array<T> const r("bench::march::coefficients", points);
    prepare(r);
    Kokkos::parallel_for(
        "bench::march::scale",
        Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(points)),
        KOKKOS_LAMBDA(std::int64_t i) { r(i) = r(i) * T(0.25); });
    layers.r = r;
  }
  all.add_march("ends", "coefficients", layers, onetrip::fixed_ends{}, {});
  all.add_march("ends", "burgers", burgers<T>{T(0.01), T(0.1)}, onetrip::periodic_ends{}, {});

  all.add_raw("tile");
#ifdef KOKKOS_ENABLE_CUDA
  constexpr int widest = sizeof(T) == 8 ? 32 : 64;
  for (auto const& [lane_points, depth] : std::vector<std::pair<int, int>>{{8, 16},
                                                                           {8, 32},
                                                                           {8, 48},
                                                                           {8, 64},
                                                                           {16, 32},
                                                                           {16, 48},
                                                                           {16, 64},
                                                                           {16, 96},
                                                                           {widest, 32},
                                                                           {widest, 48},
                                                                           {widest, 64},
                                                                           {widest, 96},
                                                                           {widest, 128}})
#else
  all.add_march("tile", "stepping", rule, onetrip::fixed_ends{}, {.path = onetrip::march_path::stepping});
  for (auto const& [lane_points, depth] : std::vector<std::pair<int, int>>{
           {248, 16}, {248, 32}, {504, 32}, {504, 64}, {1016, 32}, {1016, 64}, {1016, 128}, {2040, 64}, {2040, 128}})
#endif
    all.add_march("tile", std::to_string(lane_points) + 'x' + std::to_string(depth), rule, onetrip::fixed_ends{},
                  {.lane_points = lane_points, .depth = depth});
  return std::move(all.rows);
}

template <class T>
void add_rows(bench::suite& suite, std::string const& type, std::size_t points) {
  suite.add(type, points, rows_on<T>(nullptr, points),
            [=] { return rows_on(std::make_shared<problem<T>>(points), points); });
}

} // namespace

int main(int argc, char** argv) {
  bench::program march_bench;
  march_bench.name = "march";
  march_bench.smallest_size = 3;
  march_bench.host_bytes = [](std::size_t) { return std::size_t{0}; };
  march_bench.device_bytes = [](std::size_t points) { return apps::bytes_for(points, 26 * sizeof(double)); };
  march_bench.add_rows = [](bench::suite& suite, std::size_t points, bool) {
    add_rows<double>(suite, "double", points);
    add_rows<float>(suite, "float", points);
  };
  return bench::run(argc, argv, march_bench);
}
