// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/progress.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <unistd.h>

namespace apps {

namespace {

bool stderr_is_a_terminal() {
  char const* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

} // namespace

progress::progress() : m_terminal(stderr_is_a_terminal()) {
  if (m_terminal)
    m_first = std::thread([this] { draw_after_a_while(); });
}

progress::~progress() {
  if (!m_terminal)
    return;
  {
    std::lock_guard const lock(m_mutex);
    m_ended = true;
  }
  m_end.notify_one();
  m_first.join();
  if (m_drawn)
    std::cerr << "\r\033[K" << std::flush;
}

void progress::show(std::string const& text) {
  if (!m_terminal)
    return;
  std::lock_guard const lock(m_mutex);
  m_text = text;
  m_percent = -1;
  if (m_drawn)
    draw();
}

void progress::show(std::string const& text, std::int64_t done, std::int64_t whole) {
  if (!m_terminal)
    return;
  auto const percent = static_cast<std::int64_t>(100 * static_cast<double>(done) / static_cast<double>(whole));
  if (percent == m_percent)
    return;
  show(text + ", " + std::to_string(percent) + "%");
  m_percent = percent;
}

void progress::draw_after_a_while() {
  std::unique_lock lock(m_mutex);
  m_drawn = !m_end.wait_for(lock, std::chrono::seconds(2), [this] { return m_ended; });
  if (m_drawn)
    draw();
}

void progress::draw() const { std::cerr << "\r\033[K" << m_text << std::flush; }

} // namespace apps
