// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/reports.hpp>

#include <onetrip/tool/report_file.hpp>
#include <onetrip/tool/summary.hpp>

#include <cstdio>
#include <string>
#include <utility>

#include <unistd.h>

namespace onetrip::tool {

namespace {

/// Whether several ranks would write the one file.
bool is_shared(std::string const& name, process const& self) {
  return self.rank && self.ranks != 1 && name.find("%r") == name.npos && name.find("%p") == name.npos;
}

/// The file that this process writes, if it writes one.
std::string own_file(std::string const& name, process const& self) {
  if (name.empty() || !is_shared(name, self))
    return expanded(name, self);
  if (self.rank != 0)
    return "";
  std::fprintf(stderr, "onetrip-ledger: %s has neither %%r nor %%p: of several ranks, rank 0 alone writes it\n",
               name.c_str());
  return expanded(name, self);
}

} // namespace

reports::reports(settings chosen, process self, std::uint64_t interface_version)
    : m_settings(std::move(chosen)), m_self(std::move(self)),
      m_lines(own_file(m_settings.json, m_self), m_settings, m_self, interface_version),
      m_trace(own_file(m_settings.trace, m_self), m_settings, m_self) {
  if (m_self.rank.value_or(0) == 0)
    for (std::string const& problem : m_settings.problems)
      std::fprintf(stderr, "onetrip-ledger: %s\n", problem.c_str());
}

void reports::finish(picture const& last) {
  m_lines.end(last);
  m_trace.end();
  flush();
  bool const is_for_all = m_settings.summary != "stderr" && !is_shared(m_settings.summary, m_self);
  if (m_settings.summary == "none" || (!is_for_all && m_self.rank.value_or(0) != 0))
    return;
  std::string const text = summary(last, m_settings, m_self);
  if (m_settings.summary == "stderr")
    write_all(STDERR_FILENO, text);
  else
    report_file(expanded(m_settings.summary, m_self), text.size()).add(text);
}

} // namespace onetrip::tool
