// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/operations.hpp>
#include <onetrip/error.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

// Operations that no compiler contracts with another: `same_bits`. A contraction needs a sum and a product, so that
// only these are written anew, also those of complex numbers, part by part: on CUDA by its rounding intrinsics, under
// clang by a pragma, under g++ by an attribute of the function that holds the loop.

#if defined(__GNUC__) && !defined(__clang__)
#define ONETRIP_NO_CONTRACTION __attribute__((noinline, optimize("fp-contract=off")))
#else
#define ONETRIP_NO_CONTRACTION
#endif
#if defined(__clang__)
#define ONETRIP_CONTRACTS_NOTHING _Pragma("clang fp contract(off)")
#else
#define ONETRIP_CONTRACTS_NOTHING
#endif

namespace onetrip::detail {

#if defined(__CUDA_ARCH__)
#define ONETRIP_ROUNDED(name, symbol, single, twice)                                                                   \
  KOKKOS_FORCEINLINE_FUNCTION float name(float a, float b) { return single(a, b); }                                    \
  KOKKOS_FORCEINLINE_FUNCTION double name(double a, double b) { return twice(a, b); }
#else
#define ONETRIP_ROUNDED(name, symbol, single, twice)                                                                   \
  template <class T>                                                                                                   \
    requires std::is_floating_point_v<T>                                                                               \
  KOKKOS_FORCEINLINE_FUNCTION constexpr T name(T a, T b) {                                                             \
    ONETRIP_CONTRACTS_NOTHING                                                                                          \
    return a symbol b;                                                                                                 \
  }
#endif
ONETRIP_ROUNDED(rounded_sum, +, __fadd_rn, __dadd_rn)
ONETRIP_ROUNDED(rounded_difference, -, __fsub_rn, __dsub_rn)
ONETRIP_ROUNDED(rounded_product, *, __fmul_rn, __dmul_rn)
#undef ONETRIP_ROUNDED

/// `Operation`, rounded on its own. Most are already.
template <class Operation>
struct exact : Operation {};

#define ONETRIP_EXACT(name, symbol, rounded)                                                                           \
  template <>                                                                                                          \
  struct exact<name> {                                                                                                 \
    template <class R, class A, class B>                                                                               \
    KOKKOS_FORCEINLINE_FUNCTION static constexpr R call(A x, B y) {                                                    \
      auto const a = as_argument<R>(x);                                                                                \
      auto const b = as_argument<R>(y);                                                                                \
      if constexpr (is_complex<decltype(a)> && is_complex<decltype(b)>)                                                \
        return R(rounded(a.real(), b.real()), rounded(a.imag(), b.imag()));                                            \
      else if constexpr (is_complex<decltype(a)>)                                                                      \
        return R(rounded(a.real(), b), a.imag());                                                                      \
      else if constexpr (is_complex<decltype(b)>)                                                                      \
        return R(rounded(a, b.real()), symbol b.imag());                                                               \
      else if constexpr (std::is_floating_point_v<R>)                                                                  \
        return rounded(a, b);                                                                                          \
      else                                                                                                             \
        return convert<R>(a symbol b);                                                                                 \
    }                                                                                                                  \
  };
ONETRIP_EXACT(plus, +, rounded_sum)
ONETRIP_EXACT(minus, -, rounded_difference)
#undef ONETRIP_EXACT

template <>
struct exact<times> {
  template <class R, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr R call(A x, B y) {
    auto const a = as_argument<R>(x);
    auto const b = as_argument<R>(y);
    if constexpr (is_complex<decltype(a)> && is_complex<decltype(b)>)
      return R(rounded_difference(rounded_product(a.real(), b.real()), rounded_product(a.imag(), b.imag())),
               rounded_sum(rounded_product(a.real(), b.imag()), rounded_product(a.imag(), b.real())));
    else if constexpr (is_complex<decltype(a)>)
      return R(rounded_product(a.real(), b), rounded_product(a.imag(), b));
    else if constexpr (is_complex<decltype(b)>)
      return R(rounded_product(a, b.real()), rounded_product(a, b.imag()));
    else if constexpr (std::is_floating_point_v<R>)
      return rounded_product(a, b);
    else
      return convert<R>(a * b);
  }
};

template <class C>
struct exact<square_of_modulus<C>> {
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static C call(A a) {
    auto const square = [](auto x) { return exact<times>::call<C>(x, x); };
    if constexpr (is_complex<A>)
      return exact<plus>::call<C>(square(a.real()), square(a.imag()));
    else
      return square(a);
  }
};

template <class C>
struct exact<inner_product<C>> {
  template <class R, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static C call(A a, B b) {
    if constexpr (is_complex<A>)
      return exact<times>::call<C>(Kokkos::conj(a), b);
    else
      return exact<times>::call<C>(a, b);
  }
};

/// a b + c, for `check_rounding`.
template <class T>
ONETRIP_NO_CONTRACTION T product_and_sum(T a, T b, T c) {
  return exact<plus>::call<T>(exact<times>::call<T>(a, b), c);
}

/// Throws `error` where this build contracts on the host all the same.
template <class Options>
void check_rounding() {
#if defined(__FAST_MATH__)
  static_assert(!Options::same_bits, "onetrip::same_bits: under -ffast-math operations do not round on their own");
#endif
  static bool const rounds = [] {
    double const volatile a = 1 + 0x1p-30; // the square has a bit beyond double's
    double const volatile c = -(1 + 0x1p-29);
    float const volatile f = 1 + 0x1p-15f;
    float const volatile g = -(1 + 0x1p-14f);
    return product_and_sum<double>(a, a, c) == 0 && product_and_sum<float>(f, f, g) == 0;
  }();
  if (!rounds)
    throw error("onetrip::same_bits: this build contracts products and sums whatever is asked of it; compile it with "
                "-ffp-contract=off");
}

} // namespace onetrip::detail
