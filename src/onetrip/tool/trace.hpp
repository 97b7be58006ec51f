// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/event.hpp>
#include <onetrip/tool/process.hpp>
#include <onetrip/tool/report_file.hpp>
#include <onetrip/tool/settings.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace onetrip::tool {

/// A trace in the format of Chrome's array of events, for Perfetto: rows of kernels, copies, fences and regions for
/// each host thread. A cut one opens too.
class trace {
public:
  static constexpr std::uint64_t most_events = 1'000'000; ///< what comes after them is left out, and the trace says so

  /// `name` empty: none.
  trace(std::string const& name, settings const& chosen, process const& self, std::uint64_t limit = most_events);

  bool is_open() const { return m_file.is_open(); }

  void add(event const& e);
  void add_region(std::string_view path, std::uint32_t thread, double begin, double end);
  void flush() { m_file.flush(); }
  void end();

private:
  using json = nlohmann::ordered_json;

  void add_box(std::string_view label, int row, std::uint32_t thread, double begin, double end, json const& arguments);
  void add_entry(json const& entry);

  report_file m_file;
  int m_process;
  std::uint64_t m_limit;
  bool m_has_entries = false;
  std::uint64_t m_events = 0;
  std::set<std::uint32_t> m_rows; ///< that have a name
};

} // namespace onetrip::tool
