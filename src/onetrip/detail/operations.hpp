// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/fuse/types.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

// What an expression's nodes do: the type of the result, of logical types, and the value, of what is computed in.

namespace onetrip::detail {

template <class T>
inline constexpr bool has_integer_value = is_integer<strong_t<T>>;
template <class T>
inline constexpr bool has_bool_value = std::is_same_v<strong_t<T>, bool>;

/// An argument as arithmetic in `C` takes it: a real one of complex arithmetic stays real.
template <class C, class A>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto as_argument(A a) {
  if constexpr (is_complex<C> && !is_complex<A>)
    return convert<typename C::value_type>(a);
  else
    return convert<C>(a);
}

#define ONETRIP_BINARY(name, symbol)                                                                                   \
  struct name {                                                                                                        \
    template <class A, class B>                                                                                        \
    using result = common_t<A, B>;                                                                                     \
    template <class R, class A, class B>                                                                               \
    KOKKOS_FORCEINLINE_FUNCTION static constexpr auto call(A a, B b) {                                                 \
      return convert<R>(as_argument<R>(a) symbol as_argument<R>(b));                                                   \
    }                                                                                                                  \
  };
ONETRIP_BINARY(plus, +)
ONETRIP_BINARY(minus, -)
ONETRIP_BINARY(times, *)
ONETRIP_BINARY(divided_by, /)
ONETRIP_BINARY(modulo, %)
#undef ONETRIP_BINARY

/// Operands of a comparison meet in their common type, where the comparison is made.
template <class A, class B>
using compared_in = strong_t<common_t<A, B>>;

#define ONETRIP_COMPARISON(name, symbol)                                                                               \
  template <class C>                                                                                                   \
  struct name {                                                                                                        \
    template <class A, class B>                                                                                        \
    using result = bool;                                                                                               \
    template <class R, class A, class B>                                                                               \
    KOKKOS_FORCEINLINE_FUNCTION static constexpr bool call(A a, B b) {                                                 \
      return convert<compute_t<C>>(a) symbol convert<compute_t<C>>(b);                                                 \
    }                                                                                                                  \
  };
ONETRIP_COMPARISON(less, <)
ONETRIP_COMPARISON(less_or_equal, <=)
ONETRIP_COMPARISON(greater, >)
ONETRIP_COMPARISON(greater_or_equal, >=)
ONETRIP_COMPARISON(equal_to, ==)
ONETRIP_COMPARISON(not_equal_to, !=)
#undef ONETRIP_COMPARISON

struct negate {
  template <class A>
  using result = A;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr auto call(A a) {
    return convert<R>(-a);
  }
};

struct logical_not {
  template <class A>
  using result = bool;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool call(A a) {
    return !static_cast<bool>(a);
  }
};
struct logical_and {
  template <class A, class B>
  using result = bool;
  template <class R, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool call(A a, B b) {
    return static_cast<bool>(a) & static_cast<bool>(b);
  }
};
struct logical_or {
  template <class A, class B>
  using result = bool;
  template <class R, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr bool call(A a, B b) {
    return static_cast<bool>(a) | static_cast<bool>(b);
  }
};

// NaN wins, as in IEEE 754-2019's minimum and maximum; of zeros of both signs it is either.
struct minimum {
  template <class A, class B>
  using result = common_t<A, B>;
  template <class R, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr R call(A x, B y) {
    R const a = convert<R>(x);
    R const b = convert<R>(y);
    return (a < b || a != a) ? a : b;
  }
};
struct maximum {
  template <class A, class B>
  using result = common_t<A, B>;
  template <class R, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr R call(A x, B y) {
    R const a = convert<R>(x);
    R const b = convert<R>(y);
    return (a > b || a != a) ? a : b;
  }
};

struct select {
  template <class, class A, class B>
  using result = common_t<A, B>;
  template <class R, class C, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr R call(C condition, A a, B b) {
    return static_cast<bool>(condition) ? convert<R>(a) : convert<R>(b);
  }
};

template <class T>
struct cast_to {
  template <class>
  using result = T;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr compute_t<T> call(A a) {
    return convert<compute_t<T>>(convert<T>(a)); // rounds, also where the rest is computed in more
  }
};

struct apply {
  template <class F, class... A>
  using result = std::remove_cvref_t<std::invoke_result_t<typename F::type const&, compute_t<A>...>>;
  template <class R, class F, class... A>
  KOKKOS_FORCEINLINE_FUNCTION static R call(F const& f, A... a) {
    return f(a...);
  }
};

/// The result of a function of real numbers: an integer's is double's.
template <class A>
struct floating_of {
  using type = std::conditional_t<is_integer<A> || std::is_same_v<A, bool>, double, A>;
};
template <class A>
struct floating_of<weak<A>> {
  using type = weak<typename floating_of<A>::type>;
};
template <class A>
using floating_t = typename floating_of<A>::type;

#define ONETRIP_FUNCTION(name)                                                                                         \
  struct name##_function {                                                                                             \
    template <class A>                                                                                                 \
    using result = floating_t<A>;                                                                                      \
    template <class R, class A>                                                                                        \
    KOKKOS_FORCEINLINE_FUNCTION static auto call(A a) {                                                                \
      return convert<R>(Kokkos::name(convert<R>(a)));                                                                  \
    }                                                                                                                  \
  };
#define ONETRIP_FUNCTIONS(apply_to)                                                                                    \
  apply_to(sqrt) apply_to(cbrt) apply_to(exp) apply_to(exp2) apply_to(expm1) apply_to(log) apply_to(log2)              \
      apply_to(log10) apply_to(log1p) apply_to(sin) apply_to(cos) apply_to(tan) apply_to(asin) apply_to(acos)          \
          apply_to(atan) apply_to(sinh) apply_to(cosh) apply_to(tanh) apply_to(asinh) apply_to(acosh) apply_to(atanh)  \
              apply_to(erf) apply_to(erfc) apply_to(tgamma) apply_to(lgamma) apply_to(ceil) apply_to(floor)            \
                  apply_to(trunc) apply_to(round) apply_to(rsqrt)
ONETRIP_FUNCTIONS(ONETRIP_FUNCTION)
#undef ONETRIP_FUNCTION

#define ONETRIP_FUNCTION(name)                                                                                         \
  struct name##_function {                                                                                             \
    template <class A, class B>                                                                                        \
    using result = floating_t<common_t<A, B>>;                                                                         \
    template <class R, class A, class B>                                                                               \
    KOKKOS_FORCEINLINE_FUNCTION static auto call(A a, B b) {                                                           \
      return convert<R>(Kokkos::name(convert<R>(a), convert<R>(b)));                                                   \
    }                                                                                                                  \
  };
#define ONETRIP_FUNCTIONS_OF_TWO(apply_to)                                                                             \
  apply_to(pow) apply_to(hypot) apply_to(atan2) apply_to(fmod) apply_to(copysign) apply_to(fdim)
ONETRIP_FUNCTIONS_OF_TWO(ONETRIP_FUNCTION)
#undef ONETRIP_FUNCTION

struct abs_function {
  template <class A>
  struct result_of {
    using type = A;
  };
  template <class T>
  struct result_of<Kokkos::complex<T>> {
    using type = T;
  };
  template <class A>
  using result = typename result_of<A>::type;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static auto call(A a) {
    if constexpr (std::is_unsigned_v<A>)
      return a;
    else
      return convert<R>(Kokkos::abs(a));
  }
};

struct fma_function {
  template <class A, class B, class C>
  using result = floating_t<common_t<A, B, C>>;
  template <class R, class A, class B, class C>
  KOKKOS_FORCEINLINE_FUNCTION static R call(A a, B b, C c) {
    return Kokkos::fma(convert<R>(a), convert<R>(b), convert<R>(c));
  }
};

struct real_function {
  template <class A>
  using result = typename real_part<A>::type;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static R call(A a) {
    if constexpr (is_complex<A>)
      return a.real();
    else
      return a;
  }
};
struct imag_function {
  template <class A>
  using result = typename real_part<A>::type;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static R call(A a) {
    if constexpr (is_complex<A>)
      return a.imag();
    else
      return R(0);
  }
};
/// |a|^2, multiplied in `C`.
template <class C>
struct square_of_modulus {
  template <class>
  using result = C;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static C call(A a) {
    if constexpr (is_complex<A>)
      return convert<C>(a.real()) * convert<C>(a.real()) + convert<C>(a.imag()) * convert<C>(a.imag());
    else
      return convert<C>(a) * convert<C>(a);
  }
};
/// conj(a) b, multiplied in `C`.
template <class C>
struct inner_product {
  template <class, class>
  using result = C;
  template <class R, class A, class B>
  KOKKOS_FORCEINLINE_FUNCTION static C call(A a, B b) {
    if constexpr (is_complex<A>)
      return Kokkos::conj(convert<C>(a)) * as_argument<C>(b);
    else
      return convert<C>(as_argument<C>(a) * as_argument<C>(b));
  }
};
struct conj_function {
  template <class A>
  using result = A;
  template <class R, class A>
  KOKKOS_FORCEINLINE_FUNCTION static R call(A a) {
    if constexpr (is_complex<A>)
      return Kokkos::conj(a);
    else
      return a;
  }
};

#define ONETRIP_FUNCTION(name)                                                                                         \
  struct name##_function {                                                                                             \
    template <class>                                                                                                   \
    using result = bool;                                                                                               \
    template <class R, class A>                                                                                        \
    KOKKOS_FORCEINLINE_FUNCTION static bool call(A a) {                                                                \
      return Kokkos::name(a);                                                                                          \
    }                                                                                                                  \
  };
#define ONETRIP_CLASSIFICATIONS(apply_to) apply_to(isnan) apply_to(isinf) apply_to(isfinite) apply_to(signbit)
ONETRIP_CLASSIFICATIONS(ONETRIP_FUNCTION)
#undef ONETRIP_FUNCTION

} // namespace onetrip::detail
