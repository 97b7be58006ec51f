// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// The cases of fusion by an expression of Eigen, one for all operations; over OpenMP's threads, a segment each, where
// Kokkos has them.

namespace baselines::eigen {

#ifdef _OPENMP
inline constexpr bool is_split = true;
#else
inline constexpr bool is_split = false;
#endif

template <class T>
void scaled_sum(T const* a, T const* b, T const* c, T s, T* out, std::int64_t size);

/// 32 times x = factor x + offset.
template <class T>
void chain(T const* a, T factor, T offset, T* out, std::int64_t size);

} // namespace baselines::eigen
