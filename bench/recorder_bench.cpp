// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <benchmark/benchmark.h>

#include <optional>

// What a recorder costs: nanoseconds an event, by calling Kokkos' callbacks as Kokkos does, and what a program sees of
// it in small copies. The limit to hold is 300 ns an event.

namespace {

using onetrip::recorder;

// A run's events stay in memory: enough of them for a steady figure, few enough for any machine.
constexpr int events = 200'000;

struct callbacks {
  recorder rec;
  Kokkos::Tools::Experimental::EventSet set = Kokkos::Tools::Experimental::get_callbacks();
  Kokkos::Tools::SpaceHandle host = Kokkos::Tools::make_space_handle("Host");
  Kokkos::Tools::SpaceHandle device = Kokkos::Tools::make_space_handle("Cuda");
  std::uint64_t id = 0;
  char memory[2] = {};
};

void copy_event(benchmark::State& state) {
  callbacks c;
  for (auto _ : state) {
    c.set.begin_deep_copy(c.device, "temperature", &c.memory[0], c.host, "temperature_mirror", &c.memory[1], 8);
    c.set.end_deep_copy();
  }
}
BENCHMARK(copy_event)->Iterations(events);

/// The same from two host threads at once.
void copy_event_of_two_threads(benchmark::State& state) {
  static std::optional<callbacks> shared; // made and gone while the other thread waits at the loop's ends
  if (state.thread_index() == 0)
    shared.emplace();
  for (auto _ : state) {
    shared->set.begin_deep_copy(shared->device, "temperature", &shared->memory[0], shared->host, "temperature_mirror",
                                &shared->memory[1], 8);
    shared->set.end_deep_copy();
  }
  if (state.thread_index() == 0)
    shared.reset();
}
BENCHMARK(copy_event_of_two_threads)->Threads(2)->Iterations(events)->UseRealTime();

void kernel_event(benchmark::State& state) {
  callbacks c;
  c.set.push_region("solve");
  for (auto _ : state)
    c.set.begin_parallel_for("heat1d::resident::step", 0, &c.id);
}
BENCHMARK(kernel_event)->Iterations(events);

void fence_event(benchmark::State& state) {
  callbacks c;
  for (auto _ : state)
    c.set.begin_fence("Kokkos::deep_copy: copy between contiguous views, pre copy fence", 0, &c.id);
}
BENCHMARK(fence_event)->Iterations(events);

void allocation_event(benchmark::State& state) {
  callbacks c;
  for (auto _ : state) {
    c.set.allocate_data(c.host, "scratch", &c.memory[0], 8);
    c.set.deallocate_data(c.host, "scratch", &c.memory[0], 8);
  }
  state.counters["events"] = 2; // an iteration
}
BENCHMARK(allocation_event)->Iterations(events);

/// A small copy as a program makes it: three events (copy and two fences), with a recorder (1) and without (0).
void deep_copy_of_100_ints(benchmark::State& state) {
  Kokkos::View<int*, Kokkos::HostSpace> const a("a", 100);
  Kokkos::View<int*, Kokkos::HostSpace> const b("b", 100);
  std::optional<recorder> rec;
  if (state.range(0) == 1)
    rec.emplace(onetrip::watch::copies);
  for (auto _ : state)
    Kokkos::deep_copy(a, b);
}
BENCHMARK(deep_copy_of_100_ints)->Arg(0)->Arg(1)->Iterations(events);

} // namespace
