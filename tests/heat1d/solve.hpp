// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/boundary.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace heat1d_test {

template <class Variant>
using value_of = typename decltype(Variant::u)::value_type;

/// The state of `variant` after that many steps from `start`.
template <class Variant, class T>
std::vector<T> solve(Variant& variant, std::vector<T> const& start, std::int64_t steps, T r,
                     heat1d::boundary const& ends) {
  std::copy(start.begin(), start.end(), variant.u.data());
  std::visit([&](auto e) { variant.run(steps, r, e); }, ends);
  return {variant.u.data(), variant.u.data() + start.size()};
}

template <class Variant, class T>
std::vector<T> solve(std::vector<T> const& start, std::int64_t steps, T r, heat1d::boundary const& ends) {
  Variant variant(start.size());
  return solve(variant, start, steps, r, ends);
}

/// The oracle: a serial loop over an array with a cell more at either end, which the boundary's name fills.
template <class T>
std::vector<T> expected(std::vector<T> const& start, std::int64_t steps, T r, std::string const& boundary) {
  std::size_t const n = start.size();
  std::vector<T> wide(n + 2);
  std::copy(start.begin(), start.end(), wide.begin() + 1);
  for (std::int64_t s = 0; s < steps; ++s) {
    std::vector<T> const old = [&] {
      std::vector<T> padded = wide;
      padded[0] = boundary == "periodic" ? wide[n] : wide[1];
      padded[n + 1] = boundary == "periodic" ? wide[1] : wide[n];
      return padded;
    }();
    for (std::size_t i = 1; i <= n; ++i)
      wide[i] = std::fma(r, std::fma(T(-2), old[i], old[i - 1] + old[i + 1]), old[i]);
    if (boundary == "fixed") {
      wide[1] = old[1];
      wide[n] = old[n];
    }
  }
  return {wide.begin() + 1, wide.end() - 1};
}

inline std::vector<heat1d::boundary> const& all_boundaries() {
  static std::vector<heat1d::boundary> const all{heat1d::fixed_ends{}, heat1d::insulated_ends{},
                                                 heat1d::periodic_ends{}};
  return all;
}

} // namespace heat1d_test
