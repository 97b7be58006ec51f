// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a callback of the ledger's library costs: ledger_bench LIBRARY [--benchmark_...]. Each pair of callbacks is a
// row; `per_callback` is its CPU time over the number of callbacks. Settings come by ONETRIP_LEDGER, as in a program.

#include <impl/Kokkos_Profiling_C_Interface.h>

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <dlfcn.h>

namespace {

void* library = nullptr;

template <class Function>
Function find(char const* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

Kokkos_Profiling_SpaceHandle space(char const* name) {
  Kokkos_Profiling_SpaceHandle handle{};
  std::strncpy(handle.name, name, sizeof handle.name - 1);
  return handle;
}

/// Ten labels in turn, as of a step of a program.
std::array<std::string, 10> const labels = [] {
  std::array<std::string, 10> made;
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = "solver::step::kernel_" + std::to_string(i);
  return made;
}();

template <class Pair>
void measure(benchmark::State& state, Pair const& pair) {
  std::size_t i = 0;
  for (auto _ : state) {
    pair(labels[i].c_str());
    i = i + 1 == labels.size() ? 0 : i + 1;
  }
  state.counters["per_callback"] = benchmark::Counter(2.0 * static_cast<double>(state.iterations()),
                                                      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

} // namespace

int main(int count, char** words) {
  library = count < 2 ? nullptr : dlopen(words[1], RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "ledger_bench: the first argument must be the ledger's library\n");
    return 2;
  }
  words[1] = words[0];
  --count;
  ++words;
  find<Kokkos_Profiling_initFunction>("kokkosp_init_library")(0, KOKKOSP_INTERFACE_VERSION, 0, nullptr);

  // A million callbacks a repetition; the median of nine counts.
  auto const add = [](char const* name, auto pair) {
    benchmark::RegisterBenchmark(name, [pair](benchmark::State& state) { measure(state, pair); })
        ->Iterations(500'000)
        ->Repetitions(9)
        ->ReportAggregatesOnly();
  };
  auto const begin_kernel = find<Kokkos_Profiling_beginFunction>("kokkosp_begin_parallel_for");
  auto const end_kernel = find<Kokkos_Profiling_endFunction>("kokkosp_end_parallel_for");
  add("kernel", [=](char const* label) {
    std::uint64_t id = 0;
    begin_kernel(label, 0x02000001, &id);
    end_kernel(id);
  });
  auto const begin_fence = find<Kokkos_Profiling_beginFunction>("kokkosp_begin_fence");
  auto const end_fence = find<Kokkos_Profiling_endFunction>("kokkosp_end_fence");
  add("fence", [=](char const* label) {
    std::uint64_t id = 0;
    begin_fence(label, 0x02000001, &id);
    end_fence(id);
  });
  static auto const host = space("Host"), cuda = space("Cuda");
  static std::array<double, 64> memory{}, source{};
  auto const begin_copy = find<Kokkos_Profiling_beginDeepCopyFunction>("kokkosp_begin_deep_copy");
  auto const end_copy = find<Kokkos_Profiling_endDeepCopyFunction>("kokkosp_end_deep_copy");
  add("copy", [=](char const* label) {
    begin_copy(cuda, label, memory.data(), host, "source", source.data(), sizeof memory);
    end_copy();
  });
  auto const allocate = find<Kokkos_Profiling_allocateDataFunction>("kokkosp_allocate_data");
  auto const deallocate = find<Kokkos_Profiling_deallocateDataFunction>("kokkosp_deallocate_data");
  add("allocation", [=](char const* label) {
    allocate(cuda, label, memory.data(), 256);
    deallocate(cuda, label, memory.data(), 256);
  });
  auto const push = find<Kokkos_Profiling_pushFunction>("kokkosp_push_profile_region");
  auto const pop = find<Kokkos_Profiling_popFunction>("kokkosp_pop_profile_region");
  add("region", [=](char const* label) {
    push(label);
    pop();
  });
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
