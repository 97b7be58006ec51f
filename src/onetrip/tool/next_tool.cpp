// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/next_tool.hpp>

#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

namespace onetrip::tool {

next_tool load_next_tool(std::string const& libraries, std::string const& self, std::string& problem) {
  next_tool next;
  std::size_t const ours = libraries.find(';');
  std::error_code none;
  // Kokkos loaded us as the first of the list; elsewhere (a tool before us hands on too) the list is not ours to read.
  if (ours == libraries.npos || !std::filesystem::equivalent(libraries.substr(0, ours), self, none)) {
    std::filesystem::path const first = libraries.substr(0, ours);
    if (ours == libraries.npos || first.has_parent_path() || first.filename() != std::filesystem::path(self).filename())
      return next;
  }
  std::string const rest = libraries.substr(ours + 1);
  std::string const name = rest.substr(0, rest.find(';'));
  if (name.empty())
    return next;
  // So that the next one, if it hands on too, finds itself first in the list.
  setenv("KOKKOS_TOOLS_LIBS", rest.c_str(), 1);
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    problem = std::string("the next tool can't be loaded: ") + dlerror();
    return next;
  }
  auto const find = [&](char const* symbol, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
  };
#define ONETRIP_FIND(symbol) find("kokkosp_" #symbol, next.symbol)
  ONETRIP_FIND(init_library);
  ONETRIP_FIND(finalize_library);
  ONETRIP_FIND(parse_args);
  ONETRIP_FIND(print_help);
  ONETRIP_FIND(begin_parallel_for);
  ONETRIP_FIND(begin_parallel_reduce);
  ONETRIP_FIND(begin_parallel_scan);
  ONETRIP_FIND(end_parallel_for);
  ONETRIP_FIND(end_parallel_reduce);
  ONETRIP_FIND(end_parallel_scan);
  ONETRIP_FIND(push_profile_region);
  ONETRIP_FIND(pop_profile_region);
  ONETRIP_FIND(allocate_data);
  ONETRIP_FIND(deallocate_data);
  ONETRIP_FIND(create_profile_section);
  ONETRIP_FIND(start_profile_section);
  ONETRIP_FIND(stop_profile_section);
  ONETRIP_FIND(destroy_profile_section);
  ONETRIP_FIND(profile_event);
  ONETRIP_FIND(begin_deep_copy);
  ONETRIP_FIND(end_deep_copy);
  ONETRIP_FIND(begin_fence);
  ONETRIP_FIND(end_fence);
  ONETRIP_FIND(dual_view_sync);
  ONETRIP_FIND(dual_view_modify);
  ONETRIP_FIND(declare_metadata);
  ONETRIP_FIND(request_tool_settings);
  ONETRIP_FIND(provide_tool_programming_interface);
#undef ONETRIP_FIND
  return next;
}

} // namespace onetrip::tool
