// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/report_file.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace onetrip::tool {

namespace {

/// Texts that wait for the writer's thread; where there are more, who adds one writes.
constexpr std::size_t most_waiting = std::size_t{4} << 20;

/// While it lives, no write of this thread ends the program: not where the reader has gone, nor at a limit of size.
class no_signals {
public:
  no_signals() {
    sigemptyset(&m_ours);
    sigaddset(&m_ours, SIGPIPE);
    sigaddset(&m_ours, SIGXFSZ);
    sigset_t waiting;
    sigpending(&waiting);
    for (int const signal : {SIGPIPE, SIGXFSZ})
      if (sigismember(&waiting, signal) == 1)
        sigdelset(&m_ours, signal); // the program's own
    pthread_sigmask(SIG_BLOCK, &m_ours, &m_before);
  }
  ~no_signals() {
    int const error = errno; // of the write
    timespec const at_once{};
    while (sigtimedwait(&m_ours, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    errno = error;
  }
  no_signals(no_signals const&) = delete;
  no_signals& operator=(no_signals const&) = delete;

private:
  sigset_t m_ours, m_before;
};

} // namespace

bool write_all(int file, std::string_view text) {
  no_signals const quiet;
  while (!text.empty()) {
    ssize_t const written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

report_file::report_file(std::string name, std::uint64_t most_bytes) : m_name(std::move(name)), m_most(most_bytes) {
  if (m_name.empty())
    return;
  // Not truncated before it is ours. Programs that are started from here do not inherit it, nor its lock.
  m_file = open(m_name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (m_file < 0) {
    give_up("can't be written");
    return;
  }
  if (flock(m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) { // some file systems have no locks
    std::fprintf(stderr, "onetrip-ledger: %s is being written by another process: give each its own, by %%r or %%p\n",
                 m_name.c_str());
    close(std::exchange(m_file, -1));
    return;
  }
  // A pipe or a device has nothing to cut off.
  if (ftruncate(m_file, 0) != 0 && errno != EINVAL) {
    give_up("can't be written");
    close(std::exchange(m_file, -1));
  }
}

report_file::~report_file() {
  flush();
  if (m_file >= 0)
    close(m_file);
}

void report_file::add(std::string_view text) {
  if (m_file < 0)
    return;
  {
    std::scoped_lock const lock(m_mutex_of_waiting);
    m_taken += text.size();
    m_waiting += text;
    if (m_waiting.size() < most_waiting)
      return;
  }
  flush();
}

void report_file::flush() {
  if (m_file < 0)
    return;
  std::scoped_lock const one_at_a_time(m_mutex_of_file);
  std::string text;
  {
    std::scoped_lock const lock(m_mutex_of_waiting);
    text.swap(m_waiting);
  }
  if (!m_is_broken && !write_all(m_file, text)) {
    m_is_broken = true;
    give_up("is not whole");
  }
}

void report_file::give_up(char const* what) {
  std::fprintf(stderr, "onetrip-ledger: %s %s: %s\n", m_name.c_str(), what, std::strerror(errno));
}

} // namespace onetrip::tool
