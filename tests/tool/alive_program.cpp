// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls the tool's functions as Kokkos does, and ends as programs do: alive_program LIBRARY WAY [EVENTS]

#include <impl/Kokkos_Profiling_C_Interface.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

void* library = nullptr;

template <class Function>
Function find(char const* name) {
  auto const found = reinterpret_cast<Function>(dlsym(library, name));
  if (found == nullptr) {
    std::fprintf(stderr, "no %s\n", name);
    std::exit(3);
  }
  return found;
}

struct {
  Kokkos_Profiling_beginFunction begin_kernel, begin_fence;
  Kokkos_Profiling_endFunction end_kernel, end_fence;
  Kokkos_Profiling_allocateDataFunction allocate, deallocate;
  Kokkos_Profiling_beginDeepCopyFunction begin_copy;
  Kokkos_Profiling_endDeepCopyFunction end_copy;
  Kokkos_Profiling_pushFunction push;
  Kokkos_Profiling_popFunction pop;
} tool;

Kokkos_Profiling_SpaceHandle space(char const* name) {
  Kokkos_Profiling_SpaceHandle handle{};
  std::strncpy(handle.name, name, sizeof handle.name - 1);
  return handle;
}

std::atomic<int> fences = 0;

/// As Kokkos' own, which reports itself.
void fence(std::uint32_t) {
  ++fences;
  std::uint64_t id = 0;
  tool.begin_fence("Kokkos::Tools::invoke_kokkosp_callback: Kokkos Profile Tool Fence", 0, &id);
  tool.end_fence(id);
}

/// A region with a kernel, a fence, an upload and an allocation: eight events in the order of Kokkos'.
void round() {
  static auto const host = space("Host"), cuda = space("Cuda");
  double value = 0;
  char block[256];
  std::uint64_t id = 0;
  tool.push("step \"1\"");
  tool.allocate(cuda, "tmp", block, 64);
  tool.begin_kernel("up\x01\xff", 0x02000001, &id);
  tool.end_kernel(id);
  tool.begin_copy(cuda, "u", block + 128, host, "u_host", &value, 8);
  tool.end_copy();
  tool.begin_fence("wait", 0x02000000, &id);
  tool.end_fence(id);
  tool.deallocate(cuda, "tmp", block, 64);
  tool.pop();
}

long resident_kilobytes() {
  std::ifstream pages("/proc/self/statm");
  long size = 0, resident = 0;
  pages >> size >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

} // namespace

int main(int count, char** words) {
  library = count < 3 ? nullptr : dlopen(words[1], RTLD_NOW);
  if (library == nullptr)
    return 2;
  std::string const way = words[2];
  int const rounds = (count > 3 ? std::atoi(words[3]) : 1) / (way == "memory" && is_sanitized ? 20 : 1);
  tool = {find<Kokkos_Profiling_beginFunction>("kokkosp_begin_parallel_for"),
          find<Kokkos_Profiling_beginFunction>("kokkosp_begin_fence"),
          find<Kokkos_Profiling_endFunction>("kokkosp_end_parallel_for"),
          find<Kokkos_Profiling_endFunction>("kokkosp_end_fence"),
          find<Kokkos_Profiling_allocateDataFunction>("kokkosp_allocate_data"),
          find<Kokkos_Profiling_deallocateDataFunction>("kokkosp_deallocate_data"),
          find<Kokkos_Profiling_beginDeepCopyFunction>("kokkosp_begin_deep_copy"),
          find<Kokkos_Profiling_endDeepCopyFunction>("kokkosp_end_deep_copy"),
          find<Kokkos_Profiling_pushFunction>("kokkosp_push_profile_region"),
          find<Kokkos_Profiling_popFunction>("kokkosp_pop_profile_region")};
  Kokkos_Tools_ToolProgrammingInterface actions{};
  actions.fence = &fence;
  find<Kokkos_Tools_provideToolProgrammingInterfaceFunction>("kokkosp_provide_tool_programming_interface")(1, actions);
  find<Kokkos_Profiling_initFunction>("kokkosp_init_library")(0, 20240906, 0, nullptr);
  auto const finalize = find<Kokkos_Profiling_finalizeFunction>("kokkosp_finalize_library");

  if (way == "threads" || way == "fork among threads") {
    std::atomic<bool> is_over = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < rounds || (way != "threads" && !is_over); ++j)
          round();
      });
    int status = 0;
    // The allocator that comes with AddressSanitizer may be locked for ever in a child of several threads.
    int const forks = way == "threads" || is_sanitized ? 0 : 50;
    for (int i = 0; i < forks; ++i) {
      if (fork() == 0) {
        round();
        std::exit(0);
      }
      int one = 0;
      wait(&one);
      status |= one;
    }
    is_over = true;
    for (std::thread& one : threads)
      one.join();
    finalize();
    return status == 0 ? 0 : 4;
  }

  for (int i = 0; i < rounds / 10; ++i)
    round();
  long const before = resident_kilobytes();
  for (int i = rounds / 10; i < rounds; ++i)
    round();
  if (way == "memory")
    std::printf("%ld\n", is_sanitized ? 0 : resident_kilobytes() - before);
  if (way == "fences")
    std::printf("%d\n", fences.load());
  if (way == "kill") {
    usleep(1'000'000);
    std::raise(SIGKILL);
  }
  if (way == "abort")
    std::abort();
  if (way == "exit")
    std::exit(7);
  if (way == "throw")
    throw 1;
  if (way == "fork") {
    if (fork() == 0) {
      round();
      finalize();
      std::exit(0);
    }
    wait(nullptr);
    round();
  }
  finalize();
  round(); // after finalize: has no effect
  return 0;
}
