// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

// The types of expressions, known when this compiles; there is nothing to run.

namespace {

using Kokkos::complex;
using onetrip::in;
using half = Kokkos::Experimental::half_t;
constexpr bool has_half = !std::is_same_v<half, float>; // elsewhere it is float itself

/// A View of `T` in an expression, and what an expression's values are.
template <class T>
extern onetrip::operand<Kokkos::View<T*>> v; // never defined: only its type is used
template <class E>
using strong = onetrip::detail::strong_t<typename E::value_type>;
#define IS(type, ...) static_assert(std::is_same_v<strong<decltype(__VA_ARGS__)>, type>)

// A host scalar takes the Views' type, where that is of its kind or a higher one: bool, integer, real, complex.
IS(float, v<float> / 3.0);
IS(float, 3.0 / v<float>);
IS(float, v<float> * 2);
IS(double, v<double> + 1.0f);
IS(double, v<int> * 0.5);
IS(float, v<int> * 0.5f);
IS(std::int8_t, v<std::int8_t> + 1);
IS(std::uint8_t, 7L * v<std::uint8_t>);
IS(complex<float>, v<complex<float>> * 2.0);
IS(complex<float>, v<float>* complex<double>(0, 1));
IS(complex<double>, v<int>* complex<double>(0, 1));
IS(complex<float>, v<complex<float>>* complex<double>(0, 1));
IS(int, onetrip::where(v<bool>, 1, 2));
IS(double, onetrip::where(v<bool>, 1, 2.0));
IS(float, onetrip::where(v<bool>, 1.0, 2.0) * v<float>); // still weak
IS(float, v<float> + (3.0 * v<float> - 1) / 7.0);

// Views meet in their common type.
IS(double, v<float> + v<double>);
IS(float, v<int>* v<float>);
IS(int, v<std::int8_t> + v<int>);
IS(std::int64_t, v<int> - v<std::int64_t>);
IS(unsigned, v<int> + v<unsigned>);
IS(complex<double>, v<complex<float>> + v<double>);
IS(complex<float>, v<complex<float>> + v<float>);
IS(complex<double>, v<complex<float>> + v<complex<double>>);
IS(std::int64_t, onetrip::index<0>() + v<int>);
IS(double, onetrip::index<0>() * 0.5);
IS(float, onetrip::index<1>() * v<float>);

// An operation on equal types stays in it, also where C++ would make int of it: 200 + 100 of bytes is 44.
IS(std::uint8_t, v<std::uint8_t> + v<std::uint8_t>);
IS(std::int16_t, v<std::int16_t>* v<std::int16_t>);
IS(std::int16_t, -v<std::int16_t>);
IS(std::uint8_t, v<std::uint8_t> % 3);

// Conditions are bool.
IS(bool, v<float> < 2);
IS(bool, v<int> == v<double>);
IS(bool, !(v<int> != 0));
IS(bool, onetrip::both(v<int> > 0, v<bool>));
IS(bool, onetrip::either(v<int> > 0, v<bool>));
IS(bool, onetrip::equal(v<complex<double>>, v<complex<double>>));
IS(bool, onetrip::isnan(v<float>));

// Functions of real numbers take integers as double; those that make no fraction leave them.
IS(double, onetrip::sqrt(v<int>));
IS(double, onetrip::floor(v<std::int64_t>));
IS(float, onetrip::exp(v<float>));
IS(float, onetrip::pow(v<float>, 2));
IS(float, onetrip::pow(v<float>, 0.5));
IS(double, onetrip::pow(v<int>, 2));
IS(double, onetrip::fma(v<int>, v<int>, v<int>));
IS(float, onetrip::fma(v<float>, 2.0, v<float>));
IS(complex<float>, onetrip::sqrt(v<complex<float>>));
IS(int, onetrip::abs(v<int>));
IS(float, onetrip::abs(v<complex<float>>));
IS(float, onetrip::real(v<complex<float>>));
IS(double, onetrip::imag(v<double>));
IS(complex<float>, onetrip::conj(v<complex<float>>));
IS(int, onetrip::quotient(v<int>, 2));
IS(int, onetrip::min(v<int>, 2));
IS(double, onetrip::max(v<float>, v<double>));
IS(float, onetrip::clamp(v<float>, 0.0, 1.0));
IS(double, onetrip::where(v<int> > 0, v<float>, v<double>));
IS(float, onetrip::where(v<int> > 0, v<float>, 0.0));
IS(float, onetrip::cast<float>(v<double>));
IS(std::uint8_t, onetrip::cast<std::uint8_t>(v<double>) + v<std::uint8_t>);
IS(complex<double>, onetrip::cast<complex<double>>(v<float>));

struct rounded {
  KOKKOS_FUNCTION long operator()(double x) const { return static_cast<long>(x); }
};
IS(long, onetrip::map(rounded{}, v<float>));

// Half values meet among themselves, are computed in float, and give way to float.
IS(half, v<half> + v<half>);
IS(half, v<half> * 2.0);
IS(half, onetrip::sqrt(v<half>));
IS(half, v<half>* v<int>);
IS(float, v<half> + v<float>);
IS(double, v<half> + v<double>);
static_assert(std::is_same_v<onetrip::detail::compute_t<half>, float>);
static_assert(!has_half || std::is_same_v<strong<decltype(v<half> * v<Kokkos::Experimental::bhalf_t>)>, float>);

// What may be stored without a cast that is written.
template <class From, class To>
constexpr bool fits = onetrip::detail::stores_without_cast<From, To>();
template <class T>
using weak = onetrip::detail::weak<T>;

static_assert(fits<float, float> && fits<float, double> && !fits<double, float>);
static_assert(fits<int, double> && fits<int, float> && fits<std::int64_t, float> && !fits<float, std::int64_t>);
static_assert(fits<int, std::int64_t> && !fits<std::int64_t, int> && fits<std::int8_t, std::int16_t>);
static_assert(fits<std::uint8_t, int> && fits<unsigned, std::int64_t> && !fits<unsigned, int> && !fits<int, unsigned>);
static_assert(!fits<std::int8_t, std::uint8_t> && !fits<std::uint8_t, std::int8_t> && !fits<int, std::uint64_t>);
static_assert(fits<bool, int> && fits<bool, double> && fits<bool, bool> && !fits<int, bool> && !fits<double, bool>);
static_assert(fits<float, complex<float>> && fits<float, complex<double>> && !fits<double, complex<float>>);
static_assert(fits<complex<float>, complex<double>> && !fits<complex<double>, complex<float>>);
static_assert(!fits<complex<float>, float> && !fits<complex<float>, double>);
static_assert(fits<int, complex<float>>);
static_assert(fits<weak<double>, float> && fits<weak<int>, float> && fits<weak<int>, std::uint8_t>);
static_assert(!fits<weak<double>, int> && fits<weak<float>, complex<float>> && !fits<weak<complex<double>>, double>);
static_assert(!has_half || (fits<half, float> && !fits<float, half> && fits<int, half> && fits<half, complex<float>>));
static_assert(!has_half || !fits<half, Kokkos::Experimental::bhalf_t>);

// What an expression is, and isn't.
static_assert(onetrip::expression<decltype(in(std::declval<Kokkos::View<int const**>>()))>);
static_assert(!onetrip::expression<double> && !onetrip::expression<Kokkos::View<int*>>);
static_assert(onetrip::number<long> && onetrip::number<bool> && onetrip::number<complex<float>>);
static_assert(onetrip::number<half> && !onetrip::number<int*> && !onetrip::number<std::pair<int, int>>);

// Nodes hold what they need and no more: a chain of 60 operations on one View and constants is not twice as large.
constexpr auto chain = [](auto const& x) { return (x * 2.0 + 1.0) / 3.0; };
static_assert(sizeof(chain(v<double>)) == sizeof(v<double>) + 3 * sizeof(double));

} // namespace
