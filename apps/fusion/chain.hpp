// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/arrays.hpp>
#include <fusion/variant.hpp>

#include <onetrip/onetrip.hpp>

#include <string>
#include <utility>
#include <vector>

// The case chain: out = `ops` times x -> fma(factor, x, offset), from a on

namespace fusion {

template <class T>
inline constexpr T factor = T(0.9);
template <class T>
inline constexpr T offset = T(0.15); // x goes towards 1.5

namespace unfused {

constexpr traffic chain_traffic(int ops) { return {static_cast<std::size_t>(ops), static_cast<std::size_t>(ops)}; }

/// A kernel for each operation, in place from the second on.
template <class T>
void chain(int ops, array<T> const& a, array<T> const& out) {
  for (int op = 0; op < ops; ++op) {
    array<T> const from = op == 0 ? a : out;
    Kokkos::parallel_for(
        "fusion::unfused::affine", range(0, static_cast<std::int64_t>(out.size())),
        KOKKOS_LAMBDA(std::int64_t i) { out(i) = Kokkos::fma(factor<T>, from(i), offset<T>); });
  }
}

} // namespace unfused

namespace fused {

inline constexpr traffic chain_traffic{1, 1};

/// `Ops` operations, written out as in a user's own formula.
template <int Ops, class T>
KOKKOS_FORCEINLINE_FUNCTION T affine(T x) {
  if constexpr (Ops == 0)
    return x;
  else
    return Kokkos::fma(factor<T>, affine<Ops - 1>(x), offset<T>);
}

/// One kernel for all. Compilers make vector code of what is written out.
template <int Ops, class T>
void chain_written_out(array<T> const& a, array<T> const& out) {
  Kokkos::parallel_for(
      "fusion::fused::chain", range(0, static_cast<std::int64_t>(out.size())),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = affine<Ops>(a(i)); });
}

/// The same for any number of operations. On CPUs slower: no vector code comes of a loop in the loop.
template <class T>
void chain_in_a_loop(int ops, array<T> const& a, array<T> const& out) {
  Kokkos::parallel_for(
      "fusion::fused::chain", range(0, static_cast<std::int64_t>(out.size())), KOKKOS_LAMBDA(std::int64_t i) {
        T x = a(i);
        for (int op = 0; op < ops; ++op)
          x = Kokkos::fma(factor<T>, x, offset<T>);
        out(i) = x;
      });
}

/// Whether `chain` has this number written out.
constexpr bool is_written_out(int ops) { return ops == 4 || ops == 8 || ops == 16 || ops == 32; }

template <class T>
void chain(int ops, array<T> const& a, array<T> const& out) {
  switch (ops) {
  case 4: return chain_written_out<4>(a, out);
  case 8: return chain_written_out<8>(a, out);
  case 16: return chain_written_out<16>(a, out);
  case 32: return chain_written_out<32>(a, out);
  default: return chain_in_a_loop(ops, a, out);
  }
}

} // namespace fused

namespace expression {

inline constexpr traffic chain_traffic{1, 1};

/// `Ops` operations on an expression, written out by the compiler.
template <int Ops, class T, class E>
auto affine(E x) {
  if constexpr (Ops == 0)
    return x;
  else
    return affine<Ops - 1, T>(onetrip::fma(onetrip::literal<factor<T>>, std::move(x), onetrip::literal<offset<T>>));
}

/// Any number of them, as a function of the user's own.
template <class T>
struct affine_loop {
  int ops;
  KOKKOS_FUNCTION T operator()(T x) const {
    for (int op = 0; op < ops; ++op)
      x = Kokkos::fma(factor<T>, x, offset<T>);
    return x;
  }
};

/// One kernel.
template <class T>
void chain(int ops, array<T> const& a, array<T> const& out) {
  execution_space const exec;
  auto const x = onetrip::in(a);
  switch (ops) {
  case 4: return onetrip::assign(exec, out, affine<4, T>(x));
  case 8: return onetrip::assign(exec, out, affine<8, T>(x));
  case 16: return onetrip::assign(exec, out, affine<16, T>(x));
  case 32: return onetrip::assign(exec, out, affine<32, T>(x));
  default: return onetrip::assign(exec, out, onetrip::map(affine_loop<T>{ops}, x));
  }
}

} // namespace expression

/// The serial answer for element `i`.
template <class T>
KOKKOS_FUNCTION T chain_expected(int ops, std::int64_t i) {
  T x = input<T>(0, i);
  for (int op = 0; op < ops; ++op)
    x = Kokkos::fma(factor<T>, x, offset<T>);
  return x;
}

/// The variants of this build, unfused first.
template <class T>
std::vector<variant> chain_variants(arrays<T> const& x, int ops) {
  return {{"unfused", unfused::chain_traffic(ops), 0, [x, ops] { unfused::chain(ops, x.a, x.out); }},
          {"fused", fused::chain_traffic, 0, [x, ops] { fused::chain(ops, x.a, x.out); }},
          {"expression", expression::chain_traffic, 0, [x, ops] { expression::chain(ops, x.a, x.out); }}};
}

template <class T>
struct chain_answer {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return chain_expected<T>(ops, i); }

  int ops;
};

template <class T>
struct chain_case {
  using value_type = T;
  static constexpr char const* name = "chain";
  static constexpr bool in_place = false;

  std::string formula() const { return std::to_string(ops) + " times x = fma(m, x, c)"; }
  std::vector<variant> variants() const { return chain_variants(x, ops); }
  void prepare() const { poison(x); }
  template <class F>
  void for_each_answer(F const& f) const {
    f(x.out, chain_answer<T>{ops});
  }

  arrays<T> x;
  int ops;
};

} // namespace fusion
