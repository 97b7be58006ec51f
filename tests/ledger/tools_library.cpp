// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>

#include <cstdio>

// A Kokkos tool as users load them: prints the kernels it sees.

extern "C" {

void kokkosp_request_tool_settings(std::uint32_t, Kokkos_Tools_ToolSettings* settings) {
  settings->requires_global_fencing = false;
}

void kokkosp_begin_parallel_for(char const* label, std::uint32_t, std::uint64_t*) {
  std::printf("tool: %s\n", label);
  std::fflush(stdout);
}
}
