// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include "fuse/arrays.hpp"

// With `same_bits` a group gives the bits of a call for each operation: random formulas and groups, whose types are
// drawn when this is compiled, over random data, sizes, offsets and strides.

namespace {

using namespace fuse_tests;
using onetrip::in;
using onetrip::same_bits;
using onetrip::store;

template <class T>
using strided = Kokkos::View<T*, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged>;

// A call for each operation.

template <class View>
auto unfused(onetrip::operand<View> const& x, std::size_t) {
  return x;
}
template <class T>
auto unfused(onetrip::constant<T> const& x, std::size_t) {
  return x;
}
template <class Operation, class... E>
auto unfused(onetrip::operation<Operation, E...> const& x, std::size_t n) {
  return onetrip::detail::unpack(
      [&](auto const&... arguments) {
        auto const parts = onetrip::detail::make_pack(unfused(arguments, n)...);
        auto const alone = onetrip::detail::unpack(
            [](auto const&... part) {
              return onetrip::operation<Operation, std::remove_cvref_t<decltype(part)>...>{
                  onetrip::detail::make_pack(part...)};
            },
            parts);
        array<onetrip::detail::strong_t<typename decltype(alone)::value_type>> const out("unfused", n);
        onetrip::assign(device(), out, alone, same_bits);
        return in(out);
      },
      x.arguments);
}

constexpr unsigned drawn(unsigned seed) {
  seed = (seed ^ 61u) ^ (seed >> 16);
  seed *= 9u;
  seed ^= seed >> 4;
  seed *= 0x27d4eb2du;
  return seed ^ (seed >> 15);
}

/// A formula of a, b and c that the seed draws, in which products meet sums as often as can be.
template <unsigned Seed, int Depth, class E>
auto formula(E const& a, E const& b, E const& c) {
  constexpr unsigned draw = drawn(Seed);
  if constexpr (Depth == 0 || draw % 16 == 0) {
    if constexpr (draw / 16 % 4 == 0)
      return a;
    else if constexpr (draw / 16 % 4 == 1)
      return b;
    else
      return c;
  } else {
    auto const left = formula<2 * Seed, Depth - 1>(a, b, c);
    auto const right = formula<2 * Seed + 1, Depth - 1>(b, c, a);
    if constexpr (draw % 8 < 2)
      return left + right;
    else if constexpr (draw % 8 == 2)
      return left - right;
    else if constexpr (draw % 8 < 6)
      return left * right;
    else if constexpr (draw % 8 == 6)
      return left / (onetrip::abs(right) + 1.0);
    else
      return onetrip::where(left < right, left * 0.7, onetrip::sqrt(onetrip::abs(right)) - left);
  }
}

template <class T>
std::vector<T> random_values(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> value(-2, 2);
  return filled<T>(n, [&](auto) { return value(engine); });
}

/// As bytes: zeros differ by their sign.
template <class T>
std::vector<std::byte> bytes_of(std::vector<T> const& values) {
  auto const* const from = reinterpret_cast<std::byte const*>(values.data());
  return {from, from + values.size() * sizeof(T)};
}

template <class T>
void expect_same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  ASSERT_TRUE(bytes_of(a) == bytes_of(b)) << testing::PrintToString(a) << "\n" << testing::PrintToString(b);
}

constexpr std::size_t memory_size = 3000;

/// x = f(a, b, c); y = g(x, b, d), where d is named; total = sum of x d.
template <class T, unsigned Seed>
void expect_program(unsigned data) {
  std::mt19937 engine(data);
  auto const number = [&](int low, int high) {
    return static_cast<std::size_t>(std::uniform_int_distribution<int>(low, high)(engine));
  };
  std::size_t const n = number(0, 3) == 0 ? number(0, 20) : number(200, 700);
  auto const part = [&](array<T> const& of) {
    std::size_t const stride = number(0, 2) == 0 ? number(2, 3) : 1;
    return strided<T>(of.data() + number(0, 9), Kokkos::LayoutStride(n, stride));
  };
  auto const values = random_values<T>(memory_size, data + 1);
  array<T> const of_a = make(values), of_b = make(random_values<T>(memory_size, data + 2));
  array<T> const of_x("x", memory_size), of_y("y", memory_size);
  strided<T> const a = part(of_a), b = part(of_b), c = part(of_a), x = part(of_x), y = part(of_y);
  auto const d = formula<Seed + 5, 2>(in(b), in(c), in(a));
  auto const named = onetrip::let<"d">(d);
  double total = 0;
  onetrip::fuse(device(), "fused", same_bits | onetrip::reproducible, store(x, formula<Seed, 4>(in(a), in(b), in(c))),
                store(y, formula<Seed + 3, 3>(in(x), in(b), in(c)) * named + in(x)),
                onetrip::sum(total, onetrip::cast<double>(x) * named));

  array<T> const expected_x("x", n), expected_y("y", n);
  double expected_total = 0;
  auto const first = unfused(formula<Seed, 4>(in(a), in(b), in(c)), n);
  onetrip::assign(device(), expected_x, first);
  auto const kept = unfused(d, n);
  array<T> const of_d("d", n);
  onetrip::assign(device(), of_d, kept);
  strided<T> const x_alone(expected_x.data(), Kokkos::LayoutStride(n, 1));
  onetrip::assign(device(), expected_y,
                  unfused(formula<Seed + 3, 3>(in(x_alone), in(b), in(c)) * in(of_d) + in(x_alone), n));
  onetrip::fuse(device(), "sum", same_bits | onetrip::reproducible,
                onetrip::sum(expected_total, onetrip::cast<double>(expected_x) * in(of_d)));

  auto const contiguous = [&](strided<T> const& v) {
    array<T> const made("contiguous", n);
    onetrip::assign(device(), made, in(v));
    return values_of(made);
  };
  expect_same_bits(contiguous(x), values_of(expected_x));
  expect_same_bits(contiguous(y), values_of(expected_y));
  EXPECT_EQ(total, expected_total);
}

template <class T, unsigned... Seed>
void expect_programs(std::integer_sequence<unsigned, Seed...>) {
  for (unsigned data = 0; data < 250; ++data) {
    SCOPED_TRACE(data);
    (expect_program<T, 100 + 37 * Seed>(1000 * Seed + data), ...);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(same_bits, of_random_programs_are_those_of_single_operations) {
  expect_programs<double>(std::make_integer_sequence<unsigned, 5>());
  expect_programs<float>(std::make_integer_sequence<unsigned, 4>());
}

/// a b - c, where c is the rounded product: not 0 where the compiler contracts.
template <class T>
std::vector<T> rest_of_product(auto const& options) {
  std::size_t const n = 600;
  array<T> const a = make(random_values<T>(n, 1)), b = make(random_values<T>(n, 2)), c("c", n), out("out", n);
  onetrip::assign(device(), c, in(a)*b);
  onetrip::assign(device(), out, in(a)*b - c, options);
  return values_of(out);
}

template <class T>
void expect_no_contraction() {
  std::vector<T> const none(600, T(0));
  if (rest_of_product<T>(onetrip::fuse_options<0>()) == none)
    GTEST_SKIP() << "this build contracts nothing as it is";
  EXPECT_EQ(rest_of_product<T>(same_bits), none);
}
TEST(same_bits, are_without_contraction_where_the_build_contracts) { expect_no_contraction<double>(); }
TEST(same_bits, are_without_contraction_in_float) { expect_no_contraction<float>(); }
TEST(same_bits, are_without_contraction_in_complex) { expect_no_contraction<Kokkos::complex<double>>(); }

TEST(same_bits, let_products_cancel) {
  auto const a = make<float>({1e20f}), b = make<float>({-1e20f}), x = make<float>({1e10f});
  auto const out = make<float>({99});
  onetrip::assign(device(), out, in(a)*x + in(b)*x, same_bits);
  EXPECT_EQ(values_of(out), std::vector<float>{0});
}

TEST(same_bits, round_half_types_at_each_operation) {
  using half = Kokkos::Experimental::half_t;
  if constexpr (!onetrip::detail::is_half<half>) {
    GTEST_SKIP() << "half_t is float here";
  } else {
    auto const x = make<half>({half(2048)}), one = make<half>({half(1)}), out = make<half>({half(0)});
    auto const formula = in(x) + one - in(x); // 2049 is no half
    onetrip::assign(device(), out, formula);
    EXPECT_EQ(static_cast<float>(values_of(out)[0]), 1);
    onetrip::assign(device(), out, formula, same_bits);
    EXPECT_EQ(static_cast<float>(values_of(out)[0]), 0);
  }
}

TEST(same_bits, of_complex_numbers_keep_the_sign_of_zero) {
  using complex = Kokkos::complex<double>;
  auto const z = make<complex>({complex(1, -0.0)});
  array<double> const r = make<double>({2});
  array<complex> const plain("plain", 1), exact("exact", 1);
  auto const expect_same = [&](auto const& formula) {
    onetrip::assign(device(), plain, formula);
    onetrip::assign(device(), exact, formula, same_bits);
    expect_same_bits(values_of(plain), values_of(exact));
  };
  expect_same(in(z) + r);
  expect_same(in(r)-z);
  expect_same(in(z)*r);
}

} // namespace
