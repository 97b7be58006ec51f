// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Timer.hpp>

#include <string>

namespace apps {

/// One line on stderr that says what a long run is at. Shown only on a terminal, from the third second on, and cleared
/// at the end.
class progress {
public:
  progress();

  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;

  ~progress();

  /// Rewrites the line.
  void show(std::string const& text);

private:
  Kokkos::Timer m_timer;
  bool m_terminal;
  bool m_shown = false;
};

} // namespace apps
