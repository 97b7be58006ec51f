// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/report_file.hpp>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace onetrip::tool {

report_file::report_file(std::string name, std::uint64_t most_bytes) : m_name(std::move(name)), m_most(most_bytes) {
  if (m_name.empty())
    return;
  // Not truncated before it is ours. The lock goes with the descriptor, which no program started here inherits.
  int const file = open(m_name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    give_up("can't be written");
    return;
  }
  bool const is_ours = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; // some file systems have no locks
  if (!is_ours) {
    std::fprintf(stderr, "onetrip-ledger: %s is being written by another process: give each its own, by %%r or %%p\n",
                 m_name.c_str());
    close(file);
    return;
  }
  // A pipe or a device has nothing to cut off.
  if (ftruncate(file, 0) != 0 && errno != EINVAL) {
    give_up("can't be written");
    close(file);
    return;
  }
  m_file = fdopen(file, "w");
}

report_file::~report_file() {
  if (m_file != nullptr && std::fclose(m_file) != 0) {
    m_file = nullptr;
    give_up("is not whole");
  }
}

void report_file::write(std::string_view text) {
  if (m_file == nullptr)
    return;
  m_written += text.size();
  if (std::fwrite(text.data(), 1, text.size(), m_file) != text.size())
    give_up("is not whole");
}

void report_file::flush() {
  if (m_file != nullptr && std::fflush(m_file) != 0)
    give_up("is not whole");
}

void report_file::give_up(char const* what) {
  std::fprintf(stderr, "onetrip-ledger: %s %s: %s\n", m_name.c_str(), what, std::strerror(errno));
  if (m_file != nullptr)
    std::fclose(m_file);
  m_file = nullptr;
}

} // namespace onetrip::tool
