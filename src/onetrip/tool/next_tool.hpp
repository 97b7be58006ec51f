// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <impl/Kokkos_Profiling_C_Interface.h>

#include <optional>
#include <string>

namespace onetrip::tool {

/// The tools library after this one in KOKKOS_TOOLS_LIBS: Kokkos loads the first of the list alone, so each hands on.
/// Functions that it doesn't have are null.
struct next_tool {
  Kokkos_Profiling_initFunction init_library = nullptr;
  Kokkos_Profiling_finalizeFunction finalize_library = nullptr;
  Kokkos_Profiling_parseArgsFunction parse_args = nullptr;
  Kokkos_Profiling_printHelpFunction print_help = nullptr;
  Kokkos_Profiling_beginFunction begin_parallel_for = nullptr;
  Kokkos_Profiling_beginFunction begin_parallel_reduce = nullptr;
  Kokkos_Profiling_beginFunction begin_parallel_scan = nullptr;
  Kokkos_Profiling_endFunction end_parallel_for = nullptr;
  Kokkos_Profiling_endFunction end_parallel_reduce = nullptr;
  Kokkos_Profiling_endFunction end_parallel_scan = nullptr;
  Kokkos_Profiling_pushFunction push_profile_region = nullptr;
  Kokkos_Profiling_popFunction pop_profile_region = nullptr;
  Kokkos_Profiling_allocateDataFunction allocate_data = nullptr;
  Kokkos_Profiling_deallocateDataFunction deallocate_data = nullptr;
  Kokkos_Profiling_createProfileSectionFunction create_profile_section = nullptr;
  Kokkos_Profiling_startProfileSectionFunction start_profile_section = nullptr;
  Kokkos_Profiling_stopProfileSectionFunction stop_profile_section = nullptr;
  Kokkos_Profiling_destroyProfileSectionFunction destroy_profile_section = nullptr;
  Kokkos_Profiling_profileEventFunction profile_event = nullptr;
  Kokkos_Profiling_beginDeepCopyFunction begin_deep_copy = nullptr;
  Kokkos_Profiling_endDeepCopyFunction end_deep_copy = nullptr;
  Kokkos_Profiling_beginFenceFunction begin_fence = nullptr;
  Kokkos_Profiling_endFenceFunction end_fence = nullptr;
  Kokkos_Profiling_dualViewSyncFunction dual_view_sync = nullptr;
  Kokkos_Profiling_dualViewModifyFunction dual_view_modify = nullptr;
  Kokkos_Profiling_declareMetadataFunction declare_metadata = nullptr;
  Kokkos_Tools_requestToolSettingsFunction request_tool_settings = nullptr;
  Kokkos_Tools_provideToolProgrammingInterfaceFunction provide_tool_programming_interface = nullptr;
};

/// Loads the library after `self` in the list `libraries` ("a.so;b.so"), and leaves the rest of the list to it. A
/// library that can't be loaded is one line in `problem`.
next_tool load_next_tool(std::string const& libraries, std::string const& self, std::string& problem);

} // namespace onetrip::tool
