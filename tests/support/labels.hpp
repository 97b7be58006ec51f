// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/onetrip.hpp>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

// The label rule: whatever the library starts, allocates or fences is "onetrip::<operation>::<step>"; a program's is
// "<program>::<variant>::<step>".

namespace test_support {

/// Whether a label is `prefix::word::word`, a word being letters, digits and underscores.
inline bool follows_label_rule(std::string_view label, std::string_view prefix) {
  auto const take_word = [&label] {
    auto const end =
        std::find_if(label.begin(), label.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
    std::string_view const word = label.substr(0, static_cast<std::size_t>(end - label.begin()));
    label.remove_prefix(word.size());
    return word;
  };
  auto const take_separator = [&label] {
    bool const there = label.starts_with("::");
    label.remove_prefix(there ? 2 : 0);
    return there;
  };
  return take_word() == prefix && take_separator() && !take_word().empty() && take_separator() &&
         !take_word().empty() && label.empty();
}

/// The labels of kernels, allocations and the user's fences that neither follow the rule nor are Kokkos' own.
inline std::vector<std::string> foreign_labels(onetrip::account const& seen, std::string_view prefix) {
  using onetrip::kind;
  std::vector<std::string> foreign;
  for (onetrip::record const& r : seen.records()) {
    bool const has_label = r.what == kind::kernel || r.what == kind::allocation || r.what == kind::fence;
    if (has_label && !r.label.starts_with("Kokkos") && !follows_label_rule(r.label, prefix))
      foreign.emplace_back(r.label);
  }
  return foreign;
}

} // namespace test_support
