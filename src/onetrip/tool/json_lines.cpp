// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/json_lines.hpp>

#include <onetrip/ledger/record.hpp>
#include <onetrip/version.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <ctime>
#include <optional>

namespace onetrip::tool {

namespace {

using json = nlohmann::ordered_json;

/// A label may hold any bytes.
std::string line(json const& entry) { return entry.dump(-1, ' ', false, json::error_handler_t::replace) + '\n'; }

double rounded(double seconds) { return std::round(seconds * 1e9) / 1e9; }

std::string utc_now() {
  std::time_t const now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

json number_or_null(std::optional<int> const& number) { return number ? json(*number) : json(nullptr); }

std::string_view name_of(contents how) {
  return how == contents::none ? "none" : how == contents::full ? "full" : "sampled";
}

json row_entry(std::size_t number, record const& r) {
  return {{"type", "row"},
          {"row", number},
          {"kind", to_string(r.what)},
          {"direction", to_string(r.where)},
          {"label", r.label},
          {"space", r.space},
          {"source", r.source},
          {"source_space", r.source_space},
          {"region", r.region},
          {"upper_bound", r.upper_bound}};
}

} // namespace

json_lines::json_lines(std::string const& name, settings const& chosen, process const& self,
                       std::uint64_t interface_version, std::uint64_t limit)
    : m_file(name, limit) {
  if (!m_file.is_open())
    return;
  m_file.add(line({{"type", "start"},
                   {"schema", 1},
                   {"version", ONETRIP_VERSION_STRING},
                   {"program", self.program},
                   {"host", self.host},
                   {"pid", self.id},
                   {"rank", number_or_null(self.rank)},
                   {"ranks", number_or_null(self.ranks)},
                   {"time", utc_now()},
                   {"settings", chosen.words},
                   {"contents", name_of(chosen.hashes)},
                   {"interface", interface_version}}));
  m_file.flush();
}

void json_lines::update(picture const& now) {
  if (!m_file.is_open() || m_is_full)
    return;
  m_is_full = !m_file.has_room();
  m_file.add(m_is_full ? line({{"type", "problem"},
                               {"text", "this file is as large as it may become: only the last numbers are to come"}})
                       : changes(now));
}

void json_lines::end(picture const& last) {
  if (!m_file.is_open())
    return;
  m_file.add(changes(last));
  m_file.add(
      line({{"type", "end"}, {"t", rounded(last.seconds)}, {"events", last.events}, {"finalized", last.is_whole}}));
}

std::string json_lines::changes(picture const& now) {
  std::string lines;
  add_rows(lines, now);
  add_memory(lines, now);
  add_findings(lines, now);
  add_problems(lines, now);
  return lines;
}

void json_lines::add_rows(std::string& lines, picture const& now) {
  auto& rows = now.rows->rows();
  for (; m_rows < rows.size(); ++m_rows)
    lines += line(row_entry(m_rows, rows[m_rows].what));
  json counts = json::array();
  std::size_t number = 0;
  for (row& r : rows) {
    if (!r.is_written)
      counts.push_back({number, r.count, r.bytes, rounded(r.seconds)});
    r.is_written = true;
    ++number;
  }
  if (!counts.empty())
    lines += line({{"type", "counts"}, {"t", rounded(now.seconds)}, {"rows", std::move(counts)}});
}

void json_lines::add_memory(std::string& lines, picture const& now) {
  for (auto const& [space, bytes] : *now.spaces) {
    memory& before = m_memory[space];
    if (before.now == bytes.now && before.peak == bytes.peak)
      continue;
    before = bytes;
    lines += line({{"type", "memory"},
                   {"t", rounded(now.seconds)},
                   {"space", space},
                   {"bytes", bytes.now},
                   {"peak", bytes.peak}});
  }
}

void json_lines::add_findings(std::string& lines, picture const& now) {
  for (finding const& f : now.findings) {
    told const state{f.count, f.bytes, f.count_saved, f.bytes_saved, f.how, f.what};
    auto const [before, is_new] = m_findings.try_emplace(f.number, state);
    if (!is_new && before->second == state)
      continue;
    before->second = state;
    lines += line({{"type", "finding"},
                   {"t", rounded(now.seconds)},
                   {"finding", f.number},
                   {"id", f.id},
                   {"proof", to_string(f.how)},
                   {"label", f.where.label},
                   {"source", f.where.source},
                   {"space", f.where.space},
                   {"source_space", f.where.source_space},
                   {"region", f.where.region},
                   {"count", f.count},
                   {"bytes", f.bytes},
                   {"count_saved", f.count_saved},
                   {"bytes_saved", f.bytes_saved},
                   {"what", f.what},
                   {"fix", f.fix},
                   {"stack", f.stack}});
  }
}

void json_lines::add_problems(std::string& lines, picture const& now) {
  for (std::string const& text : now.problems)
    if (m_problems.insert(text).second)
      lines += line({{"type", "problem"}, {"text", text}});
}

} // namespace onetrip::tool
