// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/initial.hpp>

#include <heat1d/exact.hpp>
#include <heat1d/npy.hpp>
#include <heat1d/text.hpp>

#include <common/program.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace heat1d {

namespace {

/// Value i of the generator splitmix64 (Steele, Lea, Flood, 2014) from a seed.
std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// In [-1, 1): exact, so the same on every machine.
template <class T>
T unit_value(std::uint64_t bits) {
  constexpr int digits = std::numeric_limits<T>::digits;
  return std::ldexp(static_cast<T>(bits >> (64 - digits)), 1 - digits) - 1;
}

template <class T>
std::vector<T> state(sine, std::size_t cells, boundary const& ends) {
  std::vector<T> u(cells);
  for (std::size_t i = 0; i < cells; ++i)
    u[i] = static_cast<T>(mode(ends, i, cells));
  return u;
}

template <class T>
std::vector<T> state(hat, std::size_t cells, boundary const&) {
  std::vector<T> u(cells);
  for (std::size_t i = cells / 3; i < cells - cells / 3; ++i)
    u[i] = 1;
  return u;
}

template <class T>
std::vector<T> state(random_values how, std::size_t cells, boundary const&) {
  std::vector<T> u(cells);
  for (std::size_t i = 0; i < cells; ++i)
    u[i] = unit_value<T>(splitmix64(how.seed, i));
  return u;
}

template <class T>
std::vector<T> state(from_file const& how, std::size_t, boundary const&) {
  constexpr T largest = std::numeric_limits<T>::max() / 4; // left - 2u + right stays finite
  std::vector<T> u = read_npy<T>(how.path);
  auto const wrong = std::find_if(u.begin(), u.end(), [](T value) { return !(std::abs(value) <= largest); });
  if (wrong != u.end())
    throw apps::bad_input("'" + how.path + "' has " + shortest(*wrong) + " at index " +
                          std::to_string(wrong - u.begin()) +
                          (std::isfinite(*wrong) ? ", so large that a step overflows" : ", not a finite number"));
  return u;
}

} // namespace

initial initial_named(std::string const& text) {
  constexpr std::string_view random = "random:";
  if (text == "sine")
    return sine{};
  if (text == "hat")
    return hat{};
  if (text.ends_with(".npy"))
    return from_file{text};
  if (text.starts_with(random)) {
    std::uint64_t seed = 0;
    char const* const end = text.data() + text.size();
    auto const [rest, error] = std::from_chars(text.data() + random.size(), end, seed);
    if (error == std::errc{} && rest == end)
      return random_values{seed};
  }
  throw apps::bad_input("--initial: '" + text +
                        "' is none of sine, hat, random:SEED (SEED a whole number below 2^64), FILE.npy");
}

template <class T>
std::vector<T> first_state(initial const& how, std::size_t cells, boundary const& ends) {
  return std::visit([&](auto const& h) { return state<T>(h, cells, ends); }, how);
}

template std::vector<float> first_state(initial const&, std::size_t, boundary const&);
template std::vector<double> first_state(initial const&, std::size_t, boundary const&);

} // namespace heat1d
