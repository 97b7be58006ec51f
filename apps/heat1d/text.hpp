// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace heat1d {

/// A number in as few digits as bring back the same number.
template <class T>
std::string shortest(T value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

} // namespace heat1d
