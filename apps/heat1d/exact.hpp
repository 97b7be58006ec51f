// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/boundary.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heat1d {

/// The lowest mode that the ends allow, at cell i of n: sin(pi i / (n - 1)) for fixed ends, cos(pi (i + 1/2) / n) for
/// insulated and sin(2 pi i / n) for periodic ones. A step multiplies it by `decay`.
double mode(boundary const& ends, std::size_t i, std::size_t cells);

/// 1 - 4r sin^2(h) with h = pi / (2 (n - 1)), pi / (2n) and pi / n.
double decay(boundary const& ends, std::size_t cells, double r);

/// The largest difference of u, the mode after that many steps, from decay^steps times the mode.
template <class T>
double error_from_exact(std::vector<T> const& u, std::int64_t steps, T r, boundary const& ends);

} // namespace heat1d
