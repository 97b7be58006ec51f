// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/event.hpp>
#include <onetrip/tool/findings.hpp>
#include <onetrip/tool/process.hpp>
#include <onetrip/tool/settings.hpp>
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

/// What the user reads: JSON Lines and a trace as the program runs, a summary at its end. A file that can't be written
/// costs one line on stderr and nothing else.
class reports {
public:
  reports(settings const& chosen, process const& self, std::uint64_t interface_version);
  ~reports();

  reports(reports const&) = delete;
  reports& operator=(reports const&) = delete;

  /// Whether anything is written while the program runs.
  bool is_live() const;

  /// For the trace: a complete event; a region as an event of kind `kernel` has no place here, so it is told apart.
  void add(event const& e);
  void add_region(std::string_view path, std::uint32_t thread, double begin, double end);

  /// Appends what has changed since the last time to the JSON Lines, and flushes all files.
  void update(picture const& now);

  /// The last update, the trace's end and the summary.
  void finish(picture const& last);
};

} // namespace onetrip::tool
