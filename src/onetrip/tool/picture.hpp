// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/findings.hpp>
#include <onetrip/tool/tallies.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace onetrip::tool {

/// Bytes allocated in a memory space.
struct memory {
  std::uint64_t now = 0;
  std::uint64_t peak = 0;
};

/// All that the tool knows at some time.
struct picture {
  double seconds = 0; ///< since the tool's start
  std::uint64_t events = 0;
  tallies* rows = nullptr;
  std::map<std::string_view, memory> const* spaces = nullptr;
  std::vector<finding> findings;
  std::vector<std::string> problems; ///< of settings, of streams of events that can't be right: one line each
  bool is_whole = false;             ///< Kokkos::finalize has come
};

} // namespace onetrip::tool
