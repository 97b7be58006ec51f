// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace apps {

/// One line on stderr that says what a long run is at. Shown only on a terminal that can clear it, once two seconds
/// have passed, and cleared at the end.
class progress {
public:
  progress();

  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;

  ~progress();

  /// Rewrites the line.
  void show(std::string const& text);

  /// The same with the share of a whole that is done, in percent: drawn only where that changes, so call it often.
  /// Starts after a `show` of the text alone.
  void show(std::string const& text, std::int64_t done, std::int64_t whole);

private:
  void draw_after_a_while();
  void draw() const;

  bool m_terminal;
  std::string m_text;
  std::int64_t m_percent = -1;
  bool m_drawn = false;
  bool m_ended = false;
  std::mutex m_mutex; // holds for the text and the two flags
  std::condition_variable m_end;
  std::thread m_first; // draws the line for the first time, whatever the run is at then
};

} // namespace apps
