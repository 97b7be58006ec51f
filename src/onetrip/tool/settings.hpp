// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace onetrip::tool {

/// How the contents of transfers are compared.
enum class contents { none, sampled, full };

/// What the user asked for, by ONETRIP_LEDGER or --kokkos-tools-args.
struct settings {
  std::string words;              ///< all that was read
  std::string json;               ///< a file for JSON Lines; empty: none. %r, %h, %p stand for rank, host, process
  std::string trace;              ///< a file for a Chrome trace; empty: none
  std::string summary = "stderr"; ///< a file, "stderr" or "none"
  bool fenced = false;            ///< fence around kernels to time them: serialises the program
  contents hashes = contents::sampled;
  std::vector<std::string> device; ///< labels, * stands for any text: Views that play the device's
  bool help = false;
  std::vector<std::string> problems; ///< one line for each word that isn't understood and so has no effect
};

/// Reads "key=value,key=value"; keys that came before keep their value where a word is wrong.
void read_settings(std::string_view words, settings& into);

/// What ONETRIP_LEDGER=help prints.
std::string_view settings_help();

} // namespace onetrip::tool
