// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/text.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

namespace onetrip::tool {

namespace {

std::string short_number(double value, char const* unit) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), value >= 99.95 ? "%.0f %s" : "%.1f %s", value, unit);
  return text.data();
}

} // namespace

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000)
    return std::to_string(bytes) + " B";
  constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.5 && unit + 1 < units.size(); ++unit)
    value /= 1000;
  return short_number(value, units[unit]);
}

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;)
    text.insert(at -= 3, ",");
  return text;
}

std::string time_text(double seconds) {
  return seconds >= 0.9995      ? short_number(seconds, "s")
         : seconds >= 0.0009995 ? short_number(1e3 * seconds, "ms")
                                : short_number(1e6 * seconds, "us");
}

std::string quoted(std::string_view label) {
  std::string text = '"' + std::string(label) + '"';
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127; }, '?');
  return text;
}

} // namespace onetrip::tool
