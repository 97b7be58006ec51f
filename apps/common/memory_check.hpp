// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace apps {

/// Throws `bad_input` where the host or the device has less memory than that to allocate; says what is needed and what
/// is available. Where both are one space, the two add up. Passes where the system doesn't say.
void require_memory(std::size_t host_bytes, std::size_t device_bytes);

/// `count` elements of `size` bytes, or the largest `std::size_t` where that overflows.
std::size_t bytes_for(std::size_t count, std::size_t size);

/// The message of `require_memory` for one space, or nothing where it is enough.
std::optional<std::string> shortage(std::size_t needed, std::optional<std::size_t> available, std::string const& whose);

} // namespace apps
