// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace onetrip::tool {

/// Writes all of it, whatever signals come; false with `errno` where it can't. A reader that has gone away does not end
/// the program. Not by <cstdio>, whose buffers a forked child would write once more.
bool write_all(int file, std::string_view text);

/// A file that one process writes. What goes wrong with it is one line on stderr, and then it takes no more.
class report_file {
public:
  /// No file where `name` is empty. Replaces a file that is there, unless another process writes it.
  report_file(std::string name, std::uint64_t most_bytes);
  ~report_file();

  report_file(report_file const&) = delete;
  report_file& operator=(report_file const&) = delete;

  bool is_open() const { return m_file >= 0; }

  /// Whether a process may write more.
  bool has_room() const { return m_taken < m_most; }

  /// Keeps the text for `flush`, which may run at the same time.
  void add(std::string_view text);

  /// So that it survives the process.
  void flush();

private:
  void give_up(char const* what);

  std::string m_name;
  std::uint64_t m_most;
  std::uint64_t m_taken = 0;
  int m_file = -1;
  bool m_is_broken = false;
  std::string m_waiting;
  std::mutex m_mutex_of_waiting;
  std::mutex m_mutex_of_file; ///< is taken before the other
};

} // namespace onetrip::tool
