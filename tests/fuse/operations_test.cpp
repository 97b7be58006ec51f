// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "fuse/arrays.hpp"

// Every operator and function, value by value, against C++'s own.

namespace {

using namespace fuse_tests;
using onetrip::fuse;
using onetrip::in;
using onetrip::store;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Every pair of these.
struct pairs {
  std::vector<double> const some{0.0, -0.0, 1.0,     -1.0, 0.5,  -0.5,     1.5,       2.5,         -2.5,
                                 3.0, 7.25, -100.75, 1e-3, 1e10, infinity, -infinity, not_a_number};
  std::vector<double> a, b;
  pairs() {
    for (double const x : some)
      for (double const y : some) {
        a.push_back(x);
        b.push_back(y);
      }
  }
};

/// `ulps` 0: the same bits, the sign of zero included; any NaN is as good as another.
void expect_same(array<double> const& found, std::vector<double> const& a, std::vector<double> const& b,
                 double (*oracle)(double, double), char const* what, int ulps = 0) {
  auto const values = values_of(found);
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const expected = oracle(a[i], b[i]);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(values[i])) << what << " of " << a[i] << ", " << b[i] << ": " << values[i];
    } else if (ulps == 0) {
      EXPECT_TRUE(values[i] == expected && std::signbit(values[i]) == std::signbit(expected))
          << what << " of " << a[i] << ", " << b[i] << ": " << values[i] << ", not " << expected;
    } else {
      EXPECT_TRUE(values[i] == expected ||
                  std::abs(values[i] - expected) <= ulps * std::numeric_limits<double>::epsilon() * std::abs(expected))
          << what << " of " << a[i] << ", " << b[i] << ": " << values[i] << ", not " << expected;
    }
  }
}

#define EXPECT_OPERATION(out, ulps, ...)                                                                               \
  expect_same(                                                                                                         \
      out, of.a, of.b,                                                                                                 \
      +[](double x, double y) -> double {                                                                              \
        (void)x, (void)y;                                                                                              \
        return __VA_ARGS__;                                                                                            \
      },                                                                                                               \
      #__VA_ARGS__, ulps)

struct outputs {
  std::vector<array<double>> of;
  explicit outputs(std::size_t n) {
    for (int i = 0; i < 12; ++i)
      of.emplace_back("out", n);
  }
  array<double> const& operator[](int i) const { return of[i]; }
};

TEST(operations, arithmetic) {
  pairs const of;
  auto const a = make(of.a), b = make(of.b);
  outputs const out(of.a.size());
  fuse(device(), "test", store(out[0], in(a) + b), store(out[1], a - in(b)), store(out[2], in(a)*in(b)),
       store(out[3], in(a) / b), store(out[4], -in(a)), store(out[5], +in(b)), store(out[6], 3.0 - in(a)),
       store(out[7], 2 / in(b)), store(out[8], in(a) + 1.5f));
  EXPECT_OPERATION(out[0], 0, x + y);
  EXPECT_OPERATION(out[1], 0, x - y);
  EXPECT_OPERATION(out[2], 0, x * y);
  EXPECT_OPERATION(out[3], 0, x / y);
  EXPECT_OPERATION(out[4], 0, -x);
  EXPECT_OPERATION(out[5], 0, y);
  EXPECT_OPERATION(out[6], 0, 3 - x);
  EXPECT_OPERATION(out[7], 0, 2 / y);
  EXPECT_OPERATION(out[8], 0, x + 1.5);
}

TEST(operations, comparisons_and_conditions) {
  pairs const of;
  auto const a = make(of.a), b = make(of.b);
  outputs const out(of.a.size());
  fuse(device(), "test", store(out[0], in(a) < b), store(out[1], in(a) <= b), store(out[2], a > in(b)),
       store(out[3], in(a) >= b), store(out[4], in(a) == b), store(out[5], in(a) != b),
       store(out[6], onetrip::equal(a, b)), store(out[7], !(in(a) < 1.0)), store(out[8], 1.0 < in(a)),
       store(out[9], onetrip::both(in(a) > 0, in(b) > 0)), store(out[10], onetrip::either(in(a) > 0, in(b) > 0)),
       store(out[11], onetrip::where(in(a) < b, a, in(b) * 10.0)));
  EXPECT_OPERATION(out[0], 0, x < y);
  EXPECT_OPERATION(out[1], 0, x <= y);
  EXPECT_OPERATION(out[2], 0, x > y);
  EXPECT_OPERATION(out[3], 0, x >= y);
  EXPECT_OPERATION(out[4], 0, x == y);
  EXPECT_OPERATION(out[5], 0, x != y);
  EXPECT_OPERATION(out[6], 0, x == y);
  EXPECT_OPERATION(out[7], 0, !(x < 1));
  EXPECT_OPERATION(out[8], 0, 1 < x);
  EXPECT_OPERATION(out[9], 0, x > 0 && y > 0);
  EXPECT_OPERATION(out[10], 0, x > 0 || y > 0);
  EXPECT_OPERATION(out[11], 0, x < y ? x : y * 10);
}

TEST(operations, min_max_and_clamp_propagate_nan) {
  pairs const of;
  auto const a = make(of.a), b = make(of.b);
  std::size_t const n = of.a.size();
  array<double> const least("least", n), greatest("greatest", n), clamped("clamped", n), one_sided("one_sided", n);
  fuse(device(), "test", store(least, onetrip::min(a, b)), store(greatest, onetrip::max(a, b)),
       store(clamped, onetrip::clamp(a, -1.0, 2.0)), store(one_sided, onetrip::max(0.25, in(b))));
  auto const min = values_of(least), max = values_of(greatest), clamp = values_of(clamped), half = values_of(one_sided);
  for (std::size_t i = 0; i < n; ++i) {
    double const x = of.a[i], y = of.b[i];
    EXPECT_TRUE(std::isnan(x) || std::isnan(y) ? std::isnan(min[i]) : min[i] == std::fmin(x, y)) << x << ", " << y;
    EXPECT_TRUE(std::isnan(x) || std::isnan(y) ? std::isnan(max[i]) : max[i] == std::fmax(x, y)) << x << ", " << y;
    EXPECT_TRUE(std::isnan(x) ? std::isnan(clamp[i]) : clamp[i] == std::fmax(-1, std::fmin(x, 2))) << x;
    EXPECT_TRUE(std::isnan(y) ? std::isnan(half[i]) : half[i] == std::fmax(y, 0.25)) << y;
  }
}

TEST(operations, exact_functions) {
  pairs const of;
  auto const a = make(of.a), b = make(of.b);
  outputs const out(of.a.size());
  fuse(device(), "test", store(out[0], onetrip::sqrt(a)), store(out[1], onetrip::ceil(a)),
       store(out[2], onetrip::floor(a)), store(out[3], onetrip::trunc(a)), store(out[4], onetrip::round(a)),
       store(out[5], onetrip::abs(a)), store(out[6], onetrip::copysign(a, b)), store(out[7], onetrip::fmod(a, b)),
       store(out[8], onetrip::fdim(a, b)), store(out[9], onetrip::fma(a, b, 0.1)), store(out[10], onetrip::real(a)),
       store(out[11], onetrip::imag(a)));
  EXPECT_OPERATION(out[0], 0, std::sqrt(x));
  EXPECT_OPERATION(out[1], 0, std::ceil(x));
  EXPECT_OPERATION(out[2], 0, std::floor(x));
  EXPECT_OPERATION(out[3], 0, std::trunc(x));
  EXPECT_OPERATION(out[4], 0, std::round(x));
  EXPECT_OPERATION(out[5], 0, std::abs(x));
  EXPECT_OPERATION(out[6], 0, std::copysign(x, y));
  EXPECT_OPERATION(out[7], 0, std::fmod(x, y));
  EXPECT_OPERATION(out[8], 0, std::fdim(x, y));
  EXPECT_OPERATION(out[9], 0, std::fma(x, y, 0.1));
  EXPECT_OPERATION(out[10], 0, x);
  EXPECT_OPERATION(out[11], 0, 0.0);
  fuse(device(), "test", store(out[0], onetrip::isnan(a)), store(out[1], onetrip::isinf(a)),
       store(out[2], onetrip::isfinite(a)), store(out[3], onetrip::signbit(a)));
  EXPECT_OPERATION(out[0], 0, std::isnan(x));
  EXPECT_OPERATION(out[1], 0, std::isinf(x));
  EXPECT_OPERATION(out[2], 0, std::isfinite(x));
  EXPECT_OPERATION(out[3], 0, std::signbit(x));
}

TEST(operations, functions_to_some_ulps) {
  pairs const of;
  auto const a = make(of.a), b = make(of.b);
  outputs const out(of.a.size());
  fuse(device(), "test", store(out[0], onetrip::cbrt(a)), store(out[1], onetrip::exp(a)),
       store(out[2], onetrip::exp2(a)), store(out[3], onetrip::expm1(a)), store(out[4], onetrip::log(a)),
       store(out[5], onetrip::log2(a)), store(out[6], onetrip::log10(a)), store(out[7], onetrip::log1p(a)),
       store(out[8], onetrip::sin(a)), store(out[9], onetrip::cos(a)), store(out[10], onetrip::tan(a)),
       store(out[11], onetrip::rsqrt(a)));
  EXPECT_OPERATION(out[0], 4, std::cbrt(x));
  EXPECT_OPERATION(out[1], 4, std::exp(x));
  EXPECT_OPERATION(out[2], 4, std::exp2(x));
  EXPECT_OPERATION(out[3], 4, std::expm1(x));
  EXPECT_OPERATION(out[4], 4, std::log(x));
  EXPECT_OPERATION(out[5], 4, std::log2(x));
  EXPECT_OPERATION(out[6], 4, std::log10(x));
  EXPECT_OPERATION(out[7], 4, std::log1p(x));
  EXPECT_OPERATION(out[8], 4, std::sin(x));
  EXPECT_OPERATION(out[9], 4, std::cos(x));
  EXPECT_OPERATION(out[10], 4, std::tan(x));
  EXPECT_OPERATION(out[11], 4, 1 / std::sqrt(x));
  fuse(device(), "test", store(out[0], onetrip::asin(a)), store(out[1], onetrip::acos(a)),
       store(out[2], onetrip::atan(a)), store(out[3], onetrip::sinh(a)), store(out[4], onetrip::cosh(a)),
       store(out[5], onetrip::tanh(a)), store(out[6], onetrip::asinh(a)), store(out[7], onetrip::acosh(a)),
       store(out[8], onetrip::atanh(a)), store(out[9], onetrip::pow(a, b)), store(out[10], onetrip::hypot(a, b)),
       store(out[11], onetrip::atan2(a, b)));
  EXPECT_OPERATION(out[0], 4, std::asin(x));
  EXPECT_OPERATION(out[1], 4, std::acos(x));
  EXPECT_OPERATION(out[2], 4, std::atan(x));
  EXPECT_OPERATION(out[3], 4, std::sinh(x));
  EXPECT_OPERATION(out[4], 4, std::cosh(x));
  EXPECT_OPERATION(out[5], 4, std::tanh(x));
  EXPECT_OPERATION(out[6], 4, std::asinh(x));
  EXPECT_OPERATION(out[7], 4, std::acosh(x));
  EXPECT_OPERATION(out[8], 4, std::atanh(x));
  EXPECT_OPERATION(out[9], 8, std::pow(x, y));
  EXPECT_OPERATION(out[10], 4, std::hypot(x, y));
  EXPECT_OPERATION(out[11], 4, std::atan2(x, y));
  fuse(device(), "test", store(out[0], onetrip::erf(a)), store(out[1], onetrip::erfc(a)),
       store(out[2], onetrip::tgamma(onetrip::abs(a) + 1.0)), store(out[3], onetrip::lgamma(onetrip::abs(a) + 3.0)),
       store(out[4], onetrip::pow(a, 3)));
  EXPECT_OPERATION(out[0], 8, std::erf(x));
  EXPECT_OPERATION(out[1], 16, std::erfc(x));
  EXPECT_OPERATION(out[2], 32, std::tgamma(std::abs(x) + 1));
  EXPECT_OPERATION(out[3], 16, std::lgamma(std::abs(x) + 3));
  EXPECT_OPERATION(out[4], 8, std::pow(x, 3));
}

TEST(operations, on_integers) {
  std::vector<int> some, others;
  for (int a = -9; a <= 9; ++a)
    for (int b = -4; b <= 4; ++b)
      if (b != 0) {
        some.push_back(a);
        others.push_back(b);
      }
  auto const a = make(some), b = make(others);
  std::size_t const n = some.size();
  std::vector<array<int>> out;
  for (int i = 0; i < 11; ++i)
    out.emplace_back("out", n);
  array<double> const root("root", n);
  fuse(device(), "test", store(out[0], in(a) + b), store(out[1], in(a)-b), store(out[2], in(a)*b),
       store(out[3], onetrip::quotient(a, b)), store(out[4], in(a) % b), store(out[5], -in(a)),
       store(out[6], onetrip::abs(a)), store(out[7], onetrip::min(a, b)), store(out[8], onetrip::max(a, 2)),
       store(out[9], 17 % in(b)), store(out[10], in(a) <= b), store(root, onetrip::sqrt(in(a)*a)));
  auto const expect = [&](int i, auto const& oracle, char const* what) {
    EXPECT_EQ(values_of(out[i]), filled<int>(n, [&](auto j) { return oracle(some[j], others[j]); })) << what;
  };
  expect(0, [](int x, int y) { return x + y; }, "+");
  expect(1, [](int x, int y) { return x - y; }, "-");
  expect(2, [](int x, int y) { return x * y; }, "*");
  expect(3, [](int x, int y) { return x / y; }, "quotient");
  expect(4, [](int x, int y) { return x % y; }, "%");
  expect(5, [](int x, int) { return -x; }, "negate");
  expect(6, [](int x, int) { return std::abs(x); }, "abs");
  expect(7, [](int x, int y) { return std::min(x, y); }, "min");
  expect(8, [](int x, int) { return std::max(x, 2); }, "max");
  expect(9, [](int, int y) { return 17 % y; }, "% on the right");
  expect(10, [](int x, int y) { return x <= y; }, "<=");
  EXPECT_EQ(values_of(root), filled<double>(n, [&](auto j) { return std::abs(some[j]); }));
}

TEST(operations, on_bytes_are_modulo_256) {
  auto const a = make<std::uint8_t>({200, 255, 0, 7}), b = make<std::uint8_t>({100, 1, 1, 3});
  array<std::uint8_t> const sum("sum", 4), difference("difference", 4), product("product", 4);
  array<int> const wide("wide", 4), wider("wider", 4);
  array<bool> const greater("greater", 4);
  fuse(device(), "test", store(sum, in(a) + b), store(difference, in(b)-a), store(product, in(a)*b),
       store(wide, in(a) + b), store(wider, onetrip::cast<int>(a) + b), store(greater, in(a) + b > in(b)));
  EXPECT_EQ(values_of(sum), (std::vector<std::uint8_t>{44, 0, 1, 10}));
  EXPECT_EQ(values_of(difference), (std::vector<std::uint8_t>{156, 2, 1, 252}));
  EXPECT_EQ(values_of(product), (std::vector<std::uint8_t>{32, 255, 0, 21}));
  EXPECT_EQ(values_of(wide), (std::vector{44, 0, 1, 10}));
  EXPECT_EQ(values_of(wider), (std::vector{300, 256, 1, 10}));
  EXPECT_EQ(values_of(greater), (std::vector<bool>{false, false, false, true}));
}

TEST(operations, on_complex_numbers) {
  using complex = Kokkos::complex<double>;
  std::vector<complex> const some{{1, 2}, {-3, 0.5}, {0, -1}, {2, 0}}, others{{2, -1}, {0.25, 4}, {1, 1}, {-8, 0.5}};
  auto const a = make(some), b = make(others);
  std::size_t const n = some.size();
  std::vector<array<complex>> out;
  for (int i = 0; i < 11; ++i)
    out.emplace_back("out", n);
  array<double> const modulus("modulus", n), real("real", n), imag("imag", n);
  array<bool> const same("same", n);
  fuse(device(), "test", store(out[0], in(a) + b), store(out[1], in(a)-b), store(out[2], in(a)*b),
       store(out[3], in(a) / b), store(out[4], in(a) * 2.0f), store(out[5], 3 / in(b)), store(out[6], onetrip::conj(a)),
       store(out[7], -in(a)), store(out[8], onetrip::sqrt(a)), store(out[9], onetrip::exp(a)),
       store(out[10], onetrip::pow(a, b)), store(modulus, onetrip::abs(a)), store(real, onetrip::real(a)),
       store(imag, onetrip::imag(a)), store(same, in(a) == complex(0, -1)));
  auto const expect = [&](int i, auto const& oracle, char const* what) {
    auto const values = values_of(out[i]);
    for (std::size_t j = 0; j < n; ++j) {
      std::complex<double> const x(some[j].real(), some[j].imag()), y(others[j].real(), others[j].imag());
      std::complex<double> const expected = oracle(x, y);
      EXPECT_NEAR(values[j].real(), expected.real(), 1e-12 * std::abs(expected)) << what << " of " << x << ", " << y;
      EXPECT_NEAR(values[j].imag(), expected.imag(), 1e-12 * std::abs(expected)) << what << " of " << x << ", " << y;
    }
  };
  expect(0, [](auto x, auto y) { return x + y; }, "+");
  expect(1, [](auto x, auto y) { return x - y; }, "-");
  expect(2, [](auto x, auto y) { return x * y; }, "*");
  expect(3, [](auto x, auto y) { return x / y; }, "/");
  expect(4, [](auto x, auto) { return x * 2.0; }, "* 2");
  expect(5, [](auto, auto y) { return 3.0 / y; }, "3 /");
  expect(6, [](auto x, auto) { return std::conj(x); }, "conj");
  expect(7, [](auto x, auto) { return -x; }, "negate");
  expect(8, [](auto x, auto) { return std::sqrt(x); }, "sqrt");
  expect(9, [](auto x, auto) { return std::exp(x); }, "exp");
  expect(10, [](auto x, auto y) { return std::pow(x, y); }, "pow");
  for (std::size_t j = 0; j < n; ++j)
    EXPECT_NEAR(values_of(modulus)[j], std::hypot(some[j].real(), some[j].imag()), 1e-14);
  EXPECT_EQ(values_of(real), filled<double>(n, [&](auto j) { return some[j].real(); }));
  EXPECT_EQ(values_of(imag), filled<double>(n, [&](auto j) { return some[j].imag(); }));
  EXPECT_EQ(values_of(same), (std::vector<bool>{false, false, true, false}));
}

TEST(operations, casts_round) {
  std::vector<double> const some{0.1, 2.9, -2.9, 16777217.0, 1e300, 3.0};
  auto const a = make(some);
  std::size_t const n = some.size();
  array<double> const lost("lost", n), back("back", n);
  array<float> const single("single", n);
  array<int> const whole("whole", n);
  array<Kokkos::complex<float>> const complex("complex", n);
  fuse(device(), "test", store(single, onetrip::cast<float>(a)), store(back, onetrip::cast<float>(a)),
       store(lost, in(a)-onetrip::cast<float>(a)), store(whole, onetrip::cast<int>(onetrip::min(a, 1e6))),
       store(complex, onetrip::cast<Kokkos::complex<float>>(a)));
  auto const rounded = [&](auto i) { return static_cast<float>(some[i]); };
  EXPECT_EQ(values_of(single), filled<float>(n, rounded));
  EXPECT_EQ(values_of(back), filled<double>(n, rounded));
  EXPECT_EQ(values_of(lost), filled<double>(n, [&](auto i) { return some[i] - rounded(i); }));
  EXPECT_EQ(values_of(whole), (std::vector{0, 2, -2, 1'000'000, 1'000'000, 3}));
  EXPECT_EQ(values_of(complex)[1], Kokkos::complex<float>(2.9f, 0));
}

TEST(operations, fma_rounds_once) {
  double const tiny = std::ldexp(1.0, -30);
  auto const a = make<double>({1 + tiny}), c = make<double>({-1 - 2 * tiny});
  array<double> const out("out", 1);
  onetrip::assign(device(), out, onetrip::fma(a, a, c));
  EXPECT_EQ(values_of(out)[0], tiny * tiny);
}

TEST(operations, weak_scalars_are_rounded_to_the_views_type) {
  auto const a = make<float>({0.1f, 3.0f});
  array<bool> const same("same", 2);
  array<float> const third("third", 2);
  fuse(device(), "test", store(same, in(a) == 0.1), store(third, in(a) / 3.0));
  EXPECT_EQ(values_of(same), (std::vector<bool>{true, false}));
  EXPECT_EQ(values_of(third), (std::vector{0.1f / 3.0f, 1.0f}));
}

template <class Half>
void expect_half() {
  std::vector<float> const some{0.1f, 2049.0f, 1.0f, 60000.0f};
  array<Half> const a("a", 4), sum("sum", 4);
  array<float> const inner("inner", 4), cast("cast", 4);
  double total = 0;
  auto const from = make(some);
  fuse(device(), "test", store(a, onetrip::cast<Half>(from)), store(sum, in(a) + a),
       store(inner, (in(a) + 1.0) - in(a)), store(cast, onetrip::cast<Half>(in(a) + 0.0001) - in(a)),
       onetrip::sum(total, a));
  double expected_total = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    auto const rounded = static_cast<float>(static_cast<Half>(some[i]));
    EXPECT_EQ(static_cast<float>(values_of(a)[i]), rounded);
    EXPECT_EQ(static_cast<float>(values_of(sum)[i]), static_cast<float>(static_cast<Half>(rounded + rounded)));
    EXPECT_EQ(values_of(inner)[i], (rounded + 1.0f) - rounded); // in float, not rounded between
    EXPECT_EQ(values_of(cast)[i], static_cast<float>(static_cast<Half>(rounded + 0.0001f)) - rounded);
    expected_total += rounded;
  }
  EXPECT_EQ(total, expected_total);
}

TEST(operations, half_is_computed_in_float_and_rounded_by_stores_and_casts) {
  expect_half<Kokkos::Experimental::half_t>(); // float itself where the backend has none
  expect_half<Kokkos::Experimental::bhalf_t>();
}

struct horner {
  double offset;
  KOKKOS_FUNCTION double operator()(double x, std::int64_t i, float s) const {
    return (x * s + static_cast<double>(i)) * x + offset;
  }
};
struct is_odd {
  KOKKOS_FUNCTION bool operator()(int k) const { return k % 2 != 0; }
};

TEST(operations, map_calls_the_users_function) {
  std::size_t const n = 517;
  auto const x = make(filled<double>(n, scrambled));
  auto const k = make(filled<int>(n, scrambled));
  array<double> const out("out", n);
  long odd = 0;
  fuse(device(), "test", store(out, onetrip::map(horner{0.5}, in(x) + 1.0, onetrip::index<0>(), 2.0f) * 2.0),
       onetrip::count(odd, onetrip::map(is_odd{}, k)));
  EXPECT_EQ(values_of(out), filled<double>(n, [](auto i) {
              double const v = scrambled(i) + 1;
              return 2 * ((v * 2 + static_cast<double>(i)) * v + 0.5);
            }));
  long expected = 0;
  for (std::size_t i = 0; i < n; ++i)
    expected += scrambled(i) % 2 != 0;
  EXPECT_EQ(odd, expected);
}

} // namespace
