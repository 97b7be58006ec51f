// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/progress.hpp>

#include <iostream>

#include <unistd.h>

namespace apps {

progress::progress() : m_terminal(isatty(STDERR_FILENO) == 1) {
}

progress::~progress() {
  if (m_shown)
    std::cerr << "\r\033[K" << std::flush;
}

void progress::show(std::string const& text) {
  if (!m_terminal || m_timer.seconds() < 2)
    return;
  std::cerr << "\r\033[K" << text << std::flush;
  m_shown = true;
}

} // namespace apps
