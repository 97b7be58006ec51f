// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/adamw_arrays.hpp>
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

inline constexpr traffic norm_traffic{3, 1};

/// The means by update, their squares' sum by dot.
template <class T>
void norm(array<T> const& a, array<T> const& b, array<T> const& mean, scalar const& result);

inline constexpr traffic adamw_traffic{7, 3};

/// m by axpby, v by mult, and a lambda for the parameter, since BLAS has no square root.
void adamw(adamw_numbers<float> const& c, adamw_arrays const& x);

} // namespace fusion::kernels
