// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/exact.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heat1d {

namespace {

constexpr double pi = std::numbers::pi;

double mode(fixed_ends, double i, double n) { return std::sin(pi * i / (n - 1)); }
double mode(insulated_ends, double i, double n) { return std::cos(pi * (i + 0.5) / n); }
double mode(periodic_ends, double i, double n) { return std::sin(2 * pi * i / n); }

double half_angle(fixed_ends, double n) { return pi / (2 * (n - 1)); }
double half_angle(insulated_ends, double n) { return pi / (2 * n); }
double half_angle(periodic_ends, double n) { return pi / n; }

} // namespace

double mode(boundary const& ends, std::size_t i, std::size_t cells) {
  return std::visit([&](auto e) { return mode(e, static_cast<double>(i), static_cast<double>(cells)); }, ends);
}

double decay(boundary const& ends, std::size_t cells, double r) {
  double const sine = std::sin(std::visit([&](auto e) { return half_angle(e, static_cast<double>(cells)); }, ends));
  return 1 - 4 * r * sine * sine;
}

template <class T>
double error_from_exact(std::vector<T> const& u, std::int64_t steps, T r, boundary const& ends) {
  double const factor = std::pow(decay(ends, u.size(), r), static_cast<double>(steps));
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    largest = std::max(largest, std::abs(u[i] - factor * mode(ends, i, u.size())));
  return largest;
}

template double error_from_exact(std::vector<float> const&, std::int64_t, float, boundary const&);
template double error_from_exact(std::vector<double> const&, std::int64_t, double, boundary const&);

} // namespace heat1d
