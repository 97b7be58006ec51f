// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace apps {

/// Throws `bad_input` where the host has less memory than that to allocate; says what is needed and what is available.
/// Where host and device share one memory, it must have room for both. Passes where the system doesn't say. Needs no
/// initialized Kokkos.
void require_host_memory(std::size_t host_bytes, std::size_t device_bytes);

/// The same of a device that has a memory of its own. Needs an initialized Kokkos.
void require_device_memory(std::size_t device_bytes);

/// `count` elements of `size` bytes, or the largest `std::size_t` where that overflows.
std::size_t bytes_for(std::size_t count, std::size_t size);

/// The message where there is less of `what` than needed, such as "host memory", or nothing where it is enough.
std::optional<std::string> shortage(std::size_t needed, std::optional<std::size_t> available, std::string const& what);

} // namespace apps
