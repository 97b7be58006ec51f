// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/picture.hpp>
#include <onetrip/tool/process.hpp>
#include <onetrip/tool/report_file.hpp>
#include <onetrip/tool/settings.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace onetrip::tool {

/// The account as JSON Lines, schema 1 (docs/ledger-json.md): what has changed is appended.
class json_lines {
public:
  /// Once a process has written this much, it writes its last numbers alone.
  static constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;

  /// `name` empty: none.
  json_lines(std::string const& name, settings const& chosen, process const& self, std::uint64_t interface_version,
             std::uint64_t limit = most_bytes);

  bool is_open() const { return m_file.is_open(); }

  /// Lines for `flush`.
  void update(picture const& now);
  void end(picture const& last);
  void flush() { m_file.flush(); }

private:
  struct told {
    std::uint64_t count, bytes, count_saved, bytes_saved;
    proof how;
    std::string what;
    bool operator==(told const&) const = default;
  };

  std::string changes(picture const& now);
  void add_rows(std::string& lines, picture const& now);
  void add_memory(std::string& lines, picture const& now);
  void add_findings(std::string& lines, picture const& now);
  void add_problems(std::string& lines, picture const& now);

  report_file m_file;
  std::size_t m_rows = 0; ///< that have been named
  std::map<std::string_view, memory> m_memory;
  std::map<std::uint64_t, told> m_findings;
  std::set<std::string> m_problems;
  bool m_is_full = false;
};

} // namespace onetrip::tool
