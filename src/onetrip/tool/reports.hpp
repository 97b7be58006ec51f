// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/event.hpp>
#include <onetrip/tool/json_lines.hpp>
#include <onetrip/tool/picture.hpp>
#include <onetrip/tool/process.hpp>
#include <onetrip/tool/settings.hpp>
#include <onetrip/tool/trace.hpp>

#include <cstdint>
#include <string_view>

namespace onetrip::tool {

/// What the user reads: JSON Lines and a trace as the program runs, a summary at its end. A file that can't be written
/// costs one line on stderr and nothing else.
class reports {
public:
  reports(settings chosen, process self, std::uint64_t interface_version);

  /// Whether anything is written while the program runs.
  bool is_live() const { return m_lines.is_open() || m_trace.is_open(); }

  /// A complete event, and a region that has ended.
  void add(event const& e) { m_trace.add(e); }
  void add_region(std::string_view path, std::uint32_t thread, double begin, double end) {
    m_trace.add_region(path, thread, begin, end);
  }

  /// Takes down what has changed since the last time.
  void update(picture const& now) { m_lines.update(now); }

  /// Writes what was taken down, so that it survives the process. May run beside all else.
  void flush() {
    m_lines.flush();
    m_trace.flush();
  }

  /// The last update, the files' ends and the summary.
  void finish(picture const& last);

private:
  settings m_settings;
  process m_self;
  json_lines m_lines;
  trace m_trace;
};

} // namespace onetrip::tool
