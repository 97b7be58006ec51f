// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/trace.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace onetrip::tool {

namespace {

/// The rows of a host thread.
enum row_of_thread { regions, kernels, copies, fences };
std::array<std::string, 4> const row_names{"regions", "kernels", "copies", "fences"};

/// Microseconds, as the format wants, to a nanosecond.
double microseconds(double seconds) { return std::round(1e9 * seconds) / 1e3; }

} // namespace

trace::trace(std::string const& name, settings const& chosen, process const& self, std::uint64_t limit)
    : m_file(name, std::numeric_limits<std::uint64_t>::max()), m_process(self.id), m_limit(limit) {
  std::string const title = self.program + (self.rank ? ", rank " + std::to_string(*self.rank) : "") +
                            (chosen.fenced ? "" : " (boxes of kernels are their launches: no time=fenced)");
  m_file.add("[\n");
  add_entry({{"ph", "M"}, {"name", "process_name"}, {"pid", m_process}, {"args", {{"name", title}}}});
}

void trace::add(event const& e) {
  if (!m_file.is_open())
    return;
  record const& r = e.what;
  switch (r.what) {
  case kind::kernel:
  case kind::own_kernel: return add_box(r.label, kernels, e.thread, e.begin, e.end, nullptr);
  case kind::fence:
  case kind::own_fence:
  case kind::tool_fence: return add_box(r.label, fences, e.thread, e.begin, e.end, nullptr);
  case kind::transfer:
  case kind::copy:
  case kind::fill:
  case kind::alias:
    return add_box(r.label, copies, e.thread, e.begin, e.end,
                   {{"kind", to_string(r.what)},
                    {"direction", to_string(r.where)},
                    {"from", r.source},
                    {"bytes", counted_bytes(r)}});
  default: return;
  }
}

void trace::add_region(std::string_view path, std::uint32_t thread, double begin, double end) {
  if (m_file.is_open())
    add_box(path, regions, thread, begin, end, nullptr);
}

void trace::end() { m_file.add("\n]\n"); }

void trace::add_box(std::string_view label, int row, std::uint32_t thread, double begin, double end,
                    json const& arguments) {
  if (++m_events > m_limit) {
    if (m_events == m_limit + 1)
      add_entry({{"ph", "i"},
                 {"s", "g"},
                 {"name", "the trace is full: what comes is left out"},
                 {"pid", m_process},
                 {"tid", 0},
                 {"ts", microseconds(begin)}});
    return;
  }
  std::uint32_t const number = 4 * thread + static_cast<std::uint32_t>(row);
  if (m_rows.insert(number).second)
    add_entry({{"ph", "M"},
               {"name", "thread_name"},
               {"pid", m_process},
               {"tid", number},
               {"args", {{"name", "host thread " + std::to_string(thread) + ": " + row_names.at(row)}}}});
  json entry = {{"ph", "X"},
                {"name", label},
                {"pid", m_process},
                {"tid", number},
                {"ts", microseconds(begin)},
                {"dur", microseconds(end - begin)}};
  if (!arguments.is_null())
    entry["args"] = arguments;
  add_entry(entry);
}

/// A label may hold any bytes.
void trace::add_entry(json const& entry) {
  m_file.add((m_has_entries ? ",\n" : "") + entry.dump(-1, ' ', false, json::error_handler_t::replace));
  m_has_entries = true;
}

} // namespace onetrip::tool
