// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/reports.hpp>

#include <onetrip/tool/report_file.hpp>
#include <onetrip/tool/summary.hpp>

#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace onetrip::tool {

namespace {

/// The file that this process writes, if it writes one: of several ranks that share a name, the first alone does.
std::string own_file(std::string const& name, process const& self) {
  bool const is_shared = name.find("%r") == name.npos && name.find("%p") == name.npos;
  if (name.empty() || !is_shared || self.ranks.value_or(1) == 1)
    return expanded(name, self);
  if (self.rank.value_or(0) != 0)
    return "";
  std::fprintf(stderr, "onetrip-ledger: %s has neither %%r nor %%p: of %d ranks, rank 0 alone writes it\n",
               name.c_str(), *self.ranks);
  return expanded(name, self);
}

} // namespace

reports::reports(settings chosen, process self, std::uint64_t interface_version)
    : m_settings(std::move(chosen)), m_self(std::move(self)),
      m_lines(own_file(m_settings.json, m_self), m_settings, m_self, interface_version),
      m_trace(own_file(m_settings.trace, m_self), m_settings, m_self) {
  for (std::string const& problem : m_settings.problems)
    std::fprintf(stderr, "onetrip-ledger: %s\n", problem.c_str());
}

void reports::update(picture const& now) {
  m_lines.update(now);
  m_trace.flush();
}

void reports::finish(picture const& last) {
  m_lines.end(last);
  m_trace.end();
  m_trace.flush();
  write_summary(last);
}

void reports::write_summary(picture const& last) const {
  if (m_settings.summary == "none" || (m_settings.summary == "stderr" && m_self.rank.value_or(0) != 0))
    return;
  std::string const text = summary(last, m_settings, m_self);
  if (m_settings.summary == "stderr") {
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  report_file file(own_file(m_settings.summary, m_self), std::numeric_limits<std::uint64_t>::max());
  file.write(text);
  file.flush();
}

} // namespace onetrip::tool
