// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/boundary.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace heat1d {

/// `start` after that many steps by a plain loop on one host thread: what every variant must equal, bit for bit.
/// Calls `after_step` with the number of steps done.
template <class T>
std::vector<T> serial(
    std::vector<T> const& start, std::int64_t steps, T r, boundary const& ends,
    std::function<void(std::int64_t)> const& after_step = [](std::int64_t) {});

} // namespace heat1d
