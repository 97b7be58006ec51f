// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/arrays.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>

namespace heat1d {

/// u + r (left - 2u + right), in the form that keeps constants and rounds best.
template <class T>
KOKKOS_FUNCTION T update(T left, T centre, T right, T r) {
  return Kokkos::fma(r, Kokkos::fma(T(-2), centre, left + right), centre);
}

// The value of cell i after a step. Each has one store and loads that compilers can mask, so that a loop over all cells
// becomes vector code on a CPU: a branch around the store, or a neighbour's index chosen by `?:`, takes that away.

/// The two end cells keep their values.
struct fixed_ends {
  static constexpr char const* name = "fixed";

  template <class T>
  KOKKOS_FUNCTION static T next(device_array<T> const& u, std::int64_t i, T r) {
    auto const last = static_cast<std::int64_t>(u.extent(0)) - 1;
    T value = u(i);
    if (i > 0 && i < last)
      value = update(u(i - 1), value, u(i + 1), r);
    return value;
  }
};

/// No flux through the ends: beyond them lies the end cell's own value. Keeps the sum.
struct insulated_ends {
  static constexpr char const* name = "insulated";

  template <class T>
  KOKKOS_FUNCTION static T next(device_array<T> const& u, std::int64_t i, T r) {
    auto const last = static_cast<std::int64_t>(u.extent(0)) - 1;
    T const left = i > 0 ? u(i - 1) : u(i);
    T const right = i < last ? u(i + 1) : u(i);
    return update(left, u(i), right, r);
  }
};

/// The two end cells are neighbours. Keeps the sum.
struct periodic_ends {
  static constexpr char const* name = "periodic";

  template <class T>
  KOKKOS_FUNCTION static T next(device_array<T> const& u, std::int64_t i, T r) {
    auto const last = static_cast<std::int64_t>(u.extent(0)) - 1;
    T left = u(last);
    T right = u(0);
    if (i > 0)
      left = u(i - 1);
    if (i < last)
      right = u(i + 1);
    return update(left, u(i), right, r);
  }
};

/// One of the three.
using boundary = std::variant<fixed_ends, insulated_ends, periodic_ends>;

inline std::string name_of(boundary const& ends) {
  return std::visit([](auto const& e) { return std::string(e.name); }, ends);
}

/// The boundary of that name. Throws `std::invalid_argument` where there is none.
inline boundary boundary_named(std::string const& name) {
  for (boundary const& ends : std::array<boundary, 3>{fixed_ends{}, insulated_ends{}, periodic_ends{}})
    if (name_of(ends) == name)
      return ends;
  throw std::invalid_argument("heat1d: no boundary is named '" + name + "'");
}

} // namespace heat1d
