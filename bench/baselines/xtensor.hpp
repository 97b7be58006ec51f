// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// The case scaled_sum of fusion by an expression of xtensor, one for all operations, on one thread.

namespace baselines::xtensor {

template <class T>
void scaled_sum(T const* a, T const* b, T const* c, T s, T* out, std::int64_t size);

} // namespace baselines::xtensor
