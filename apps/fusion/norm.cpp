// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/norm.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace fusion {

/// A mean is k / 2^21 with a whole k below 2^22. Its square's halves are summed apart, which has room for 2^42 of them.
double norm_expected(std::int64_t size) {
  if (size == 0)
    return 0;
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  Kokkos::parallel_reduce(
      "fusion::norm::expected", range(0, size),
      KOKKOS_LAMBDA(std::int64_t i, std::uint64_t& high_part, std::uint64_t& low_part) {
        auto const k = static_cast<std::uint64_t>((input<double>(0, i) + input<double>(1, i)) * (1 << 20));
        high_part += k * k >> 22;
        low_part += k * k & ((1 << 22) - 1);
      },
      high, low);
  return std::ldexp(static_cast<double>(high), -20) + std::ldexp(static_cast<double>(low), -42);
}

} // namespace fusion
