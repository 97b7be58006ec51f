// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/settings.hpp>

namespace onetrip::tool {

namespace {

/// Whether `word` is a setting; if so, it is in effect.
bool read_setting(std::string_view word, settings& into) {
  std::size_t const equals = word.find('=');
  std::string_view const key = word.substr(0, equals);
  if (equals == word.npos) {
    into.help = into.help || key == "help";
    return key == "help";
  }
  std::string_view const value = word.substr(equals + 1);
  if (key == "json" && !value.empty())
    into.json = value;
  else if (key == "trace" && !value.empty())
    into.trace = value;
  else if (key == "summary" && !value.empty())
    into.summary = value;
  else if (key == "time" && value == "fenced")
    into.fenced = true;
  else if (key == "contents" && value == "none")
    into.hashes = contents::none;
  else if (key == "contents" && value == "sampled")
    into.hashes = contents::sampled;
  else if (key == "contents" && value == "full")
    into.hashes = contents::full;
  else if (key == "device" && !value.empty())
    into.device.emplace_back(value);
  else
    return false;
  return true;
}

} // namespace

void read_settings(std::string_view words, settings& into) {
  if (!words.empty())
    into.words.append(into.words.empty() ? "" : ",").append(words);
  while (!words.empty()) {
    std::size_t const end = words.find(',');
    std::string_view const word = words.substr(0, end);
    if (!word.empty() && !read_setting(word, into))
      into.problems.push_back("'" + std::string(word) + "' is not a setting; ONETRIP_LEDGER=help lists them");
    words = end == words.npos ? std::string_view{} : words.substr(end + 1);
  }
}

std::string_view settings_help() {
  return R"(onetrip-ledger watches what a Kokkos program moves. Settings: ONETRIP_LEDGER=KEY=VALUE,KEY=VALUE... or
--kokkos-tools-args="KEY=VALUE,..."
  json=FILE         append the account as JSON Lines while the program runs
  trace=FILE        write a trace of kernels, copies, fences and regions for Perfetto or chrome://tracing
  summary=FILE      where the summary goes at the end: stderr (as it is without this), none, or a file
  time=fenced       time kernels by a fence before and after each: serialises the program
  contents=sampled  compare what transfers carry by samples (as it is without this), full, or none
  device=LABEL      where host and device share one memory: Views of this label play the device's; * stands for any
                    text, and more than one device= adds up
  help              print this
In the names of files %r, %h and %p stand for the rank, the host and the process; of several ranks that would share a
file rank 0 alone writes it. No file is written that isn't named.
)";
}

} // namespace onetrip::tool
