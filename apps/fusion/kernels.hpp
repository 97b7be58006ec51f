// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/arrays.hpp>
#include <fusion/variant.hpp>

namespace fusion::kernels {

/// Whether this build has Kokkos Kernels, and with it the variant.
#ifdef ONETRIP_HAVE_KOKKOS_KERNELS
inline constexpr bool available = true;
#else
inline constexpr bool available = false;
#endif

inline constexpr traffic scaled_sum_traffic{5, 3};

/// A BLAS call for each operation: update, mult, and scal by 1/s in place of the division, which BLAS doesn't have.
/// Defined for float and double where it is available.
template <class T>
void scaled_sum(array<T> const& a, array<T> const& b, array<T> const& c, T s, array<T> const& sum,
                array<T> const& product, array<T> const& out);

} // namespace fusion::kernels
