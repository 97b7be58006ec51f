// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Numbers and names as people read them.

namespace onetrip::tool {

/// "1.2 GB"
std::string bytes_text(std::uint64_t bytes);

/// "12,345"
std::string count_text(std::uint64_t count);

/// "3.4 ms"
std::string time_text(double seconds);

/// "u" in quotes; what a terminal must not be told is a question mark.
std::string quoted(std::string_view label);

} // namespace onetrip::tool
