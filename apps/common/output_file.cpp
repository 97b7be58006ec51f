// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/output_file.hpp>

#include <common/memory_check.hpp>
#include <common/program.hpp>

#include <cerrno>
#include <iostream>
#include <system_error>

#include <unistd.h>

namespace apps {

namespace fs = std::filesystem;

namespace {

/// Where that is a file, only `std::cout` knows how far it is written.
bool is_stdout(fs::path const& path) { return path == "/dev/stdout" || path == "/dev/fd/1"; }

/// Whether it names a stream of this process, be it a regular file.
bool is_stream(fs::path const& path) {
  return is_stdout(path) || path == "/dev/stderr" || path.parent_path() == "/dev/fd";
}

} // namespace

output_file::output_file(std::string const& path) : m_name(path), m_path(fs::absolute(path)) {
  std::error_code ignored;
  if (is_stream(m_path)) {
    if (!fs::exists(m_path, ignored))
      fail("it is not open");
    return;
  }
  switch (fs::status(m_path, ignored).type()) {
  case fs::file_type::directory: fail("it is a folder");
  case fs::file_type::regular:
    m_path = fs::canonical(m_path);
    break; // not the link, but the file behind it, is replaced
  case fs::file_type::not_found:
  case fs::file_type::none: // an error that opening it will tell
  case fs::file_type::unknown:
    if (fs::is_symlink(fs::symlink_status(m_path, ignored)))
      fail("it is a link that leads nowhere");
    break;
  default: return;
  }
  fs::path const folder = m_path.parent_path();
  if (!fs::is_directory(folder, ignored))
    fail("there is no folder '" + folder.string() + "'");
  m_path = fs::canonical(folder) / m_path.filename();
  m_temporary = m_path.parent_path() / ("." + m_path.filename().string() + "." + std::to_string(getpid()) + ".tmp");
  open();
  m_stream.close();
  fs::remove(m_temporary, ignored);
}

output_file::~output_file() {
  std::error_code ignored;
  if (!m_temporary.empty())
    fs::remove(m_temporary, ignored);
}

void output_file::require_space(std::uintmax_t bytes) const {
  std::error_code error;
  fs::space_info const space = fs::space(m_temporary.parent_path(), error);
  if (m_temporary.empty() || error)
    return;
  if (auto const message = shortage(bytes, space.available, "disk space"))
    fail(*message);
}

std::ostream& output_file::stream() {
  if (is_stdout(m_path))
    return std::cout;
  if (!m_stream.is_open())
    open();
  return m_stream;
}

void output_file::finish() {
  std::ostream& out = stream();
  out.flush();
  m_stream.close();
  if (!out)
    fail(std::generic_category().message(errno));
  std::error_code ignored;
  if (fs::exists(m_path, ignored) && !m_temporary.empty())
    fs::permissions(m_temporary, fs::status(m_path).permissions(), ignored);
}

void output_file::commit() {
  std::error_code error;
  if (!m_temporary.empty())
    fs::rename(m_temporary, m_path, error);
  if (error)
    fail(error.message());
  m_temporary.clear();
}

void output_file::open() {
  errno = 0;
  m_stream.open(m_temporary.empty() ? m_path : m_temporary,
                std::ios::binary | (m_temporary.empty() ? std::ios::app : std::ios::trunc));
  if (!m_stream)
    fail(std::generic_category().message(errno));
}

void output_file::fail(std::string const& why) const { throw bad_input("cannot write '" + m_name + "': " + why); }

} // namespace apps
