// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

// What regions cost: a region on what is present already, by the number of entries (the limit to hold is 200 ns at
// 1,000, and no more than a search's growth up to 100,000); a packed update against a contiguous one of as many bytes;
// pageable host memory against pinned.

namespace {

using device = Kokkos::DefaultExecutionSpace;
using onetrip::copy, onetrip::copyin, onetrip::create;
using unmanaged = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// That many arrays that are present, in random order.
class table {
public:
  explicit table(std::size_t entries) : m_memory(16 * entries) {
    for (std::size_t k = 0; k < entries; ++k) {
      m_arrays.emplace_back(m_memory.data() + 16 * k, 8);
      onetrip::enter_data(m_exec, create(m_arrays.back()));
    }
    std::shuffle(m_arrays.begin(), m_arrays.end(), std::mt19937(1));
  }
  table(table const&) = delete;
  table& operator=(table const&) = delete;
  ~table() { // NOLINT(bugprone-exception-escape): what is present can be released
    for (unmanaged const& a : m_arrays)
      onetrip::exit_data(m_exec, onetrip::release(a));
  }

  device const& exec() const { return m_exec; }
  unmanaged const& next() { return m_arrays[m_next = m_next + 1 < m_arrays.size() ? m_next + 1 : 0]; }

private:
  device m_exec;
  std::vector<double> m_memory;
  std::vector<unmanaged> m_arrays;
  std::size_t m_next = 0;
};

void region_on_what_is_present(benchmark::State& state) {
  table entries(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state)
    onetrip::region const data(entries.exec(), copy(entries.next()));
}
BENCHMARK(region_on_what_is_present)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(10'000)->Arg(100'000);

void device_view_of_what_is_present(benchmark::State& state) {
  table entries(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(onetrip::device(entries.exec(), entries.next()).data());
}
BENCHMARK(device_view_of_what_is_present)->Arg(1)->Arg(1000)->Arg(100'000);

/// A step's worth within a region: two clauses, two device Views, a swap.
void step_within_a_region(benchmark::State& state) {
  device const exec;
  Kokkos::View<double*, Kokkos::HostSpace> u("u", 8), v("v", 8);
  onetrip::region const outer(exec, onetrip::alias::never, copy(u), create(v));
  for (auto _ : state) {
    onetrip::region const data(exec, copy(u), copy(v));
    benchmark::DoNotOptimize(data.device(u).data());
    benchmark::DoNotOptimize(data.device(v).data());
    onetrip::swap(exec, u, v);
  }
}
BENCHMARK(step_within_a_region);

constexpr std::size_t elements = 1 << 20;

template <class View>
void updates(benchmark::State& state, View const& all, View const& part) {
  device const exec;
  onetrip::region const data(exec, onetrip::alias::never, copyin(all));
  for (auto _ : state) {
    if (state.range(0) == 0) {
      onetrip::update_device(exec, part);
      exec.fence();
    } else {
      onetrip::update_host(exec, part);
    }
  }
  auto const bytes = static_cast<double>(part.size() * sizeof(double));
  state.counters["GB/s"] = benchmark::Counter(1e-9 * bytes, benchmark::Counter::kIsIterationInvariantRate);
}

// of 8 MiB, to the device (0) and to the host (1)

void update_contiguous(benchmark::State& state) {
  Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace> const u("u", Kokkos::LayoutStride(elements, 1));
  updates(state, u, u);
}
BENCHMARK(update_contiguous)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// A column of a matrix of eight: each element in a cache line of its own.
void update_column(benchmark::State& state) {
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const m("m", elements, 8);
  Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace> const all(m.data(),
                                                                           Kokkos::LayoutStride(8 * elements, 1));
  updates(state, all,
          Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace>(Kokkos::subview(m, Kokkos::ALL, 3)));
}
BENCHMARK(update_column)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// Rows of 1,024 with a gap as wide.
void update_rows(benchmark::State& state) {
  Kokkos::View<double*, Kokkos::LayoutStride, Kokkos::HostSpace> const all("all",
                                                                           Kokkos::LayoutStride(2 * elements, 1));
  device const exec;
  Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const rows(
      all.data(), Kokkos::LayoutStride(elements / 1024, 2048, 1024, 1));
  onetrip::region const data(exec, onetrip::alias::never, copyin(all));
  for (auto _ : state) {
    if (state.range(0) == 0)
      onetrip::update_device(exec, rows);
    else
      onetrip::update_host(exec, rows);
  }
  state.counters["GB/s"] = benchmark::Counter(8e-9 * elements, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(update_rows)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond)->UseRealTime();

#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
void update_pinned(benchmark::State& state) {
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> const u("u", elements);
  updates(state, u, u);
}
BENCHMARK(update_pinned)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond)->UseRealTime();
#endif

} // namespace
