// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

namespace apps {

/// A file that appears whole or not at all. Make it before the work, so that a folder that can't be written to is told
/// at once. What is written goes to a file beside it, from the first call of `stream()` on; `finish()` ends that, and
/// `commit()` renames it. Without `commit()` nothing is left, and a file that stood there stays. What isn't a regular
/// file, such as a pipe, and the streams /dev/stdout, /dev/stderr and /dev/fd/N are written to directly.
class output_file {
public:
  /// Throws `bad_input` where no file can be made there.
  explicit output_file(std::string const& path);

  output_file(output_file const&) = delete;
  output_file& operator=(output_file const&) = delete;

  ~output_file();

  /// Throws `bad_input` where the file system has less room than that.
  void require_space(std::uintmax_t bytes) const;

  bool is_same_as(output_file const& other) const { return m_path == other.m_path; }

  std::ostream& stream();

  /// Call it when all is written. Throws `bad_input` where that did not reach the file, as on a full disk.
  void finish();

  /// Puts the finished file in place.
  void commit();

private:
  void open();
  [[noreturn]] void fail(std::string const& why) const;

  std::string m_name; // as the user gave it
  std::filesystem::path m_path;
  std::filesystem::path m_temporary; // empty where it is written to directly, and once it is in place
  std::ofstream m_stream;
};

} // namespace apps
