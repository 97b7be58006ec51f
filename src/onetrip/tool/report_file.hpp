// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace onetrip::tool {

/// A file that one process writes. What goes wrong with it is one line on stderr, and then it takes no more.
class report_file {
public:
  /// No file where `name` is empty. Replaces a file that is there, unless another process writes it.
  report_file(std::string name, std::uint64_t most_bytes);
  ~report_file();

  report_file(report_file const&) = delete;
  report_file& operator=(report_file const&) = delete;

  bool is_open() const { return m_file != nullptr; }

  /// Whether this many bytes still fit into what a process may write.
  bool has_room(std::uint64_t bytes) const { return m_written + bytes <= m_most; }

  void write(std::string_view text);

  /// So that it survives the process.
  void flush();

private:
  void give_up(char const* what);

  std::string m_name;
  std::uint64_t m_most;
  std::uint64_t m_written = 0;
  std::FILE* m_file = nullptr;
};

} // namespace onetrip::tool
