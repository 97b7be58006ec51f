// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace fusion {

using execution_space = Kokkos::DefaultExecutionSpace;
using range = Kokkos::RangePolicy<execution_space, Kokkos::IndexType<std::int64_t>>;

template <class T>
using array = Kokkos::View<T*, execution_space::memory_space>;
using scalar = Kokkos::View<double, execution_space::memory_space>;

/// The s of (a + b) * c / s: its inverse is not exact.
template <class T>
inline constexpr T divisor = T(3);

/// The inputs of adamw.
inline constexpr int adamw_gradient = 0, adamw_parameter = 1, adamw_m = 2, adamw_v = 3;

/// Element `i` of an input: from 1 up to, not including, 2, varying, and exact in float, so that the same numbers come
/// out everywhere.
template <class T>
KOKKOS_INLINE_FUNCTION T input(int which, std::int64_t i) {
  auto bits = static_cast<std::uint64_t>(i) * 3 + static_cast<std::uint64_t>(which);
  bits *= 0x9e3779b97f4a7c15; // Fibonacci hashing: the top bits vary most
  return T(1) + static_cast<T>(bits >> 44) / static_cast<T>(1 << 20);
}

template <class T>
void fill_with_input(array<T> const& x, int which) {
  Kokkos::parallel_for(
      "fusion::inputs::fill", range(0, static_cast<std::int64_t>(x.size())),
      KOKKOS_LAMBDA(std::int64_t i) { x(i) = input<T>(which, i); });
}

/// What the variants work on. The temporaries are there only where a variant needs them.
template <class T>
struct arrays {
  using value_type = T;

  array<T> a, b, c, out, sum, product;
  scalar result;
};

template <class T>
std::size_t size_of(arrays<T> const& x) {
  return x.a.size();
}

/// What the copy's rate is of: input 0 goes to `copied`.
template <class T>
void copy_once(arrays<T> const& x) {
  Kokkos::deep_copy(execution_space(), x.out, x.a);
}

template <class T>
array<T> copied(arrays<T> const& x) {
  return x.out;
}

/// How many arrays `make_arrays` makes.
constexpr std::size_t array_count(bool with_temporaries) { return with_temporaries ? 6 : 4; }

/// Allocates the arrays and fills the inputs.
template <class T>
arrays<T> make_arrays(std::size_t size, bool with_temporaries) {
  auto make = [size](std::string const& label) {
    return array<T>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "fusion::arrays::" + label), size);
  };
  arrays<T> made{make("a"), make("b"), make("c"), make("out"), {}, {}, scalar("fusion::arrays::result")};
  fill_with_input(made.a, 0);
  fill_with_input(made.b, 1);
  fill_with_input(made.c, 2);
  if (with_temporaries) {
    made.sum = make("sum");
    made.product = make("product");
  }
  return made;
}

/// Overwrites everything that a variant computes, so that an answer left by another doesn't count.
template <class T>
void poison(arrays<T> const& x) {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  Kokkos::deep_copy(x.out, nan);
  Kokkos::deep_copy(x.sum, nan);
  Kokkos::deep_copy(x.product, nan);
  Kokkos::deep_copy(x.result, static_cast<double>(nan));
}

} // namespace fusion
