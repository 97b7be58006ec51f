// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/trace.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <limits>

namespace onetrip::tool {

namespace {

/// The rows of a host thread.
enum row_of_thread { regions, kernels, copies, fences };
constexpr std::array<std::string_view, 4> row_names{"regions", "kernels", "copies", "fences"};

std::string in_quotes(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Microseconds, as the format wants.
std::string microseconds(double seconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", 1e6 * seconds);
  return text.data();
}

} // namespace

trace::trace(std::string const& name, settings const& chosen, process const& self, std::uint64_t limit)
    : m_file(name, std::numeric_limits<std::uint64_t>::max()), m_process(self.id), m_limit(limit) {
  std::string const title = self.program + (self.rank ? ", rank " + std::to_string(*self.rank) : "") +
                            (chosen.fenced ? "" : " (boxes of kernels are their launches: no time=fenced)");
  m_file.add("[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" + std::to_string(m_process) +
             ",\"args\":{\"name\":" + in_quotes(title) + "}}");
}

void trace::add(event const& e) {
  if (!m_file.is_open())
    return;
  record const& r = e.what;
  switch (r.what) {
  case kind::kernel:
  case kind::own_kernel: return add_box(r.label, kernels, e.thread, e.begin, e.end, "");
  case kind::fence:
  case kind::own_fence:
  case kind::tool_fence: return add_box(r.label, fences, e.thread, e.begin, e.end, "");
  case kind::transfer:
  case kind::copy:
  case kind::fill:
  case kind::alias:
    return add_box(r.label, copies, e.thread, e.begin, e.end,
                   "\"kind\":" + in_quotes(to_string(r.what)) + ",\"direction\":" + in_quotes(to_string(r.where)) +
                       ",\"from\":" + in_quotes(r.source) + ",\"bytes\":" + std::to_string(counted_bytes(r)));
  default: return;
  }
}

void trace::add_region(std::string_view path, std::uint32_t thread, double begin, double end) {
  if (m_file.is_open())
    add_box(path, regions, thread, begin, end, "");
}

void trace::end() { m_file.add("\n]\n"); }

void trace::add_box(std::string_view label, int row, std::uint32_t thread, double begin, double end,
                    std::string const& arguments) {
  if (++m_events > m_limit) {
    if (m_events == m_limit + 1)
      m_file.add(",\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"the trace is full: what comes is left out\",\"pid\":" +
                 std::to_string(m_process) + ",\"tid\":0,\"ts\":" + microseconds(begin) + '}');
    return;
  }
  name_row(row, thread);
  m_file.add(",\n{\"ph\":\"X\",\"name\":" + in_quotes(label) + ",\"pid\":" + std::to_string(m_process) +
             ",\"tid\":" + std::to_string(4 * thread + static_cast<std::uint32_t>(row)) +
             ",\"ts\":" + microseconds(begin) + ",\"dur\":" + microseconds(end - begin) +
             (arguments.empty() ? "" : ",\"args\":{" + arguments + '}') + '}');
}

void trace::name_row(int row, std::uint32_t thread) {
  std::uint32_t const number = 4 * thread + static_cast<std::uint32_t>(row);
  if (!m_rows.insert(number).second)
    return;
  std::string const name =
      "host thread " + std::to_string(thread) + ": " + std::string(row_names[static_cast<std::size_t>(row)]);
  m_file.add(",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" + std::to_string(m_process) +
             ",\"tid\":" + std::to_string(number) + ",\"args\":{\"name\":" + in_quotes(name) + "}}");
}

} // namespace onetrip::tool
