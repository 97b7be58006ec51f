// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/stacks.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

namespace onetrip::tool {

namespace {

constexpr std::size_t most_lines = 8;

/// "void Kokkos::deep_copy<double*>(...)" is named "Kokkos::deep_copy".
std::string_view name_of(std::string_view function) {
  std::string_view const head = function.substr(0, function.find_first_of("<("));
  return head.substr(head.rfind(' ') + 1); // npos + 1 is 0
}

bool is_programs_own(Dl_info const& where, std::string_view function) {
  std::string_view const file = where.dli_fname == nullptr ? "" : where.dli_fname;
  std::string_view const name = name_of(function);
  return file.find("libonetrip_ledger") == file.npos && file.find("libkokkos") == file.npos &&
         !name.starts_with("Kokkos::") && !name.starts_with("onetrip::tool::") && !name.starts_with("kokkosp_");
}

} // namespace

std::vector<void*> call_stack() {
  std::array<void*, 48> frames{};
  int const count = backtrace(frames.data(), static_cast<int>(frames.size()));
  return std::vector<void*>(frames.begin(), std::next(frames.begin(), count));
}

std::vector<std::string> symbolised(std::vector<void*> const& frames) {
  std::vector<std::string> lines;
  for (void* const frame : frames) {
    Dl_info where{};
    if (lines.size() == most_lines || dladdr(frame, &where) == 0)
      continue;
    std::string text;
    if (where.dli_sname != nullptr) {
      int status = 0;
      std::unique_ptr<char, decltype(&std::free)> const plain(
          abi::__cxa_demangle(where.dli_sname, nullptr, nullptr, &status), &std::free);
      text = status == 0 && plain ? plain.get() : where.dli_sname;
    }
    if (!is_programs_own(where, text) || text == "__libc_start_main" || text == "_start")
      continue;
    if (text.empty()) { // "heat1d(+0x1a2b) [0x55d0]"
      std::unique_ptr<char*, decltype(&std::free)> const line(backtrace_symbols(&frame, 1), &std::free);
      if (line == nullptr)
        continue;
      std::string_view rest = *line;
      rest = rest.substr(0, rest.find(" ["));
      text = rest.substr(rest.rfind('/') + 1);
    }
    lines.push_back(std::move(text));
  }
  return lines;
}

} // namespace onetrip::tool
