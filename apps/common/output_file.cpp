// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/output_file.hpp>

#include <common/program.hpp>

#include <cerrno>
#include <system_error>

#include <unistd.h>

namespace apps {

namespace fs = std::filesystem;

output_file::output_file(std::string const& path) : m_name(path), m_path(path) {
  std::error_code ignored;
  switch (fs::status(m_path, ignored).type()) {
  case fs::file_type::directory: fail("it is a folder");
  case fs::file_type::regular:
    m_path = fs::canonical(m_path);
    break; // not the link, but the file behind it, is replaced
  case fs::file_type::not_found:
  case fs::file_type::none: // an error that opening it will tell
  case fs::file_type::unknown: break;
  default: return;
  }
  fs::path const folder = fs::absolute(m_path).parent_path();
  if (!fs::is_directory(folder, ignored))
    fail("there is no folder '" + folder.string() + "'");
  m_temporary = folder / ("." + m_path.filename().string() + "." + std::to_string(getpid()) + ".tmp");
  open();
  m_stream.close();
  fs::remove(m_temporary, ignored);
}

output_file::~output_file() {
  std::error_code ignored;
  if (!m_temporary.empty())
    fs::remove(m_temporary, ignored);
}

std::ostream& output_file::stream() {
  if (!m_stream.is_open())
    open();
  return m_stream;
}

void output_file::commit() {
  stream();
  m_stream.close(); // flushes, and fails where that or a write before failed
  if (!m_stream)
    fail(std::generic_category().message(errno));
  std::error_code error;
  if (!m_temporary.empty())
    fs::rename(m_temporary, m_path, error);
  if (error)
    fail(error.message());
  m_temporary.clear();
}

void output_file::open() {
  errno = 0;
  m_stream.open(m_temporary.empty() ? m_path : m_temporary, std::ios::binary);
  if (!m_stream)
    fail(std::generic_category().message(errno));
}

void output_file::fail(std::string const& why) const {
  throw bad_input("cannot write '" + m_name + "': " + why);
}

} // namespace apps
