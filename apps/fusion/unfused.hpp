// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/arrays.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

// One operation, one kernel: what the variants `unfused` are made of. Any of the arrays may be `out`, too.

namespace fusion::unfused {

template <class T>
range all_of(array<T> const& x) {
  return {0, static_cast<std::int64_t>(x.size())};
}

template <class T>
void add(array<T> const& x, array<T> const& y, array<T> const& out) {
  Kokkos::parallel_for("fusion::unfused::add", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) + y(i); });
}

template <class T>
void add(array<T> const& x, T s, array<T> const& out) {
  Kokkos::parallel_for("fusion::unfused::shift", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) + s; });
}

template <class T>
void subtract(array<T> const& x, array<T> const& y, array<T> const& out) {
  Kokkos::parallel_for(
      "fusion::unfused::subtract", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) - y(i); });
}

template <class T>
void multiply(array<T> const& x, array<T> const& y, array<T> const& out) {
  Kokkos::parallel_for(
      "fusion::unfused::multiply", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) * y(i); });
}

template <class T>
void multiply(array<T> const& x, T s, array<T> const& out) {
  Kokkos::parallel_for("fusion::unfused::scale", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) * s; });
}

template <class T>
void divide(array<T> const& x, array<T> const& y, array<T> const& out) {
  Kokkos::parallel_for(
      "fusion::unfused::quotient", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) / y(i); });
}

template <class T>
void divide(array<T> const& x, T s, array<T> const& out) {
  Kokkos::parallel_for("fusion::unfused::divide", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = x(i) / s; });
}

template <class T>
void square_root(array<T> const& x, array<T> const& out) {
  Kokkos::parallel_for(
      "fusion::unfused::square_root", all_of(out), KOKKOS_LAMBDA(std::int64_t i) { out(i) = Kokkos::sqrt(x(i)); });
}

/// The sum in double; waits for nothing.
template <class T>
void sum(array<T> const& x, scalar const& result) {
  Kokkos::parallel_reduce(
      "fusion::unfused::sum", all_of(x),
      KOKKOS_LAMBDA(std::int64_t i, double& so_far) { so_far += static_cast<double>(x(i)); }, result);
}

} // namespace fusion::unfused
