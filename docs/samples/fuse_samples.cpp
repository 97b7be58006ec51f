// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What docs/fuse.md shows, each with its answer and what Kokkos saw of it.
#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <cmath>

using execution_space = Kokkos::DefaultExecutionSpace;
using vector = Kokkos::View<double*>;
using floats = Kokkos::View<float*>;
using scalar = Kokkos::View<double>;

// sum and product of three arrays, with a scalar
void scaled_sum(execution_space const& exec, vector const& a, vector const& b, vector const& c, vector const& out) {
  using onetrip::in;
  onetrip::assign(exec, out, (in(a) + b) * c / 3.0);
}

// the vector updates of conjugate gradients, and the norm that the next step needs
void cg_update(execution_space const& exec, scalar const& alpha, vector const& p, vector const& q, vector const& x,
               vector const& r, scalar const& rr) {
  using onetrip::in;
  // clang-format off: it takes in(x) * y for a cast
  onetrip::fuse(exec, "cg_update",
                onetrip::store(x, in(x) + in(alpha) * p),
                onetrip::store(r, in(r) - in(alpha) * q),
                onetrip::norm2_squared(rr, r)); // of the new r
  // clang-format on
}

// the last stage of the classical Runge-Kutta method
void runge_kutta(execution_space const& exec, double dt, vector const& k1, vector const& k2, vector const& k3,
                 vector const& k4, vector const& u) {
  using onetrip::in;
  onetrip::assign(exec, u, in(u) + dt / 6 * (in(k1) + 2 * (in(k2) + k3) + k4));
}

// a step of AdamW, t counted from 1
void adamw(execution_space const& exec, int t, floats const& gradient, floats const& m, floats const& v,
           floats const& parameter) {
  using onetrip::in;
  double const rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0.01;
  double const correct1 = 1 / (1 - std::pow(beta1, t)), correct2 = 1 / (1 - std::pow(beta2, t));
  // clang-format off: it takes in(x) * y for a cast
  onetrip::fuse(exec, "adamw",
                onetrip::store(m, beta1 * in(m) + (1 - beta1) * in(gradient)),
                onetrip::store(v, beta2 * in(v) + (1 - beta2) * in(gradient) * gradient),
                onetrip::store(parameter, in(parameter) - rate * (correct1 * in(m) / (onetrip::sqrt(correct2 * in(v)) + epsilon) +
                                                                  decay * in(parameter))));
  // clang-format on
}

// two reductions of one pass, into variables of the host's
double norm_and_largest(execution_space const& exec, vector const& x, double& largest) {
  using onetrip::in;
  // clang-format off: it takes in(x) * y for a cast
  double squares = 0;
  onetrip::fuse(exec, "norm_and_largest",
                onetrip::norm2_squared(squares, x),
                onetrip::max_of(largest, onetrip::abs(x))); // waits for the kernel
  // clang-format on
  return std::sqrt(squares);
}

// a value that two results share, computed once
void upwind(execution_space const& exec, vector const& speed, vector const& u, vector const& flux,
            vector const& energy) {
  using onetrip::in;
  auto const f = onetrip::let<"f">(onetrip::sqrt(onetrip::abs(speed)) * u);
  onetrip::fuse(exec, "upwind", onetrip::store(flux, f), onetrip::store(energy, 0.5 * f * f));
}

// operators on Views themselves
void scaled_sum_with_operators(execution_space const& exec, vector const& a, vector const& b, vector const& c,
                               vector const& out) {
  using namespace onetrip::operators;
  onetrip::assign(exec, out, (a + b) * c / 3.0);
}

// the same bits as a call for each operation, and a dot product whose order never changes
double residual(execution_space const& exec, vector const& b, vector const& ax, vector const& r) {
  using onetrip::in;
  double rr = 0;
  // clang-format off: it takes in(b) - ax for a cast
  onetrip::fuse(exec, "residual", onetrip::same_bits | onetrip::reproducible, onetrip::store(r, in(b) - ax),
                onetrip::dot(rr, r, r));
  // clang-format on
  return rr;
}

// what would run
onetrip::explanation plan_of_scaled_sum(execution_space const& exec, vector const& a, vector const& b, vector const& c,
                                        vector const& out) {
  using onetrip::in;
  return onetrip::explain(exec, onetrip::store(out, (in(a) + b) * c / 3.0));
}

// every element takes its left neighbour's value
void shift(execution_space const& exec, vector const& x) {
  using onetrip::in;
  auto const n = x.extent(0);
  auto const left = Kokkos::subview(x, Kokkos::pair<std::size_t, std::size_t>(0, n - 1));
  auto const right = Kokkos::subview(x, Kokkos::pair<std::size_t, std::size_t>(1, n));
  onetrip::assign(exec, right, left, onetrip::allow_temporary);
}

namespace {

vector made(std::string const& label, double value) {
  vector const v(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), 1000);
  Kokkos::deep_copy(v, value);
  return v;
}

template <class View>
auto at(View const& v, int i) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, v)(i);
}

double value_of(scalar const& s) { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, s)(); }

std::size_t kernels(onetrip::recorder const& rec) { return rec.so_far().of(onetrip::kind::kernel).count; }

} // namespace

TEST(fuse_samples, scaled_sum) {
  execution_space const exec;
  vector const a = made("a", 1), b = made("b", 2), c = made("c", 4), out = made("out", 0);
  onetrip::recorder rec;
  scaled_sum(exec, a, b, c, out);
  EXPECT_EQ(kernels(rec), 1u) << rec;
  EXPECT_EQ(at(out, 999), 4);
}

TEST(fuse_samples, cg_update) {
  execution_space const exec;
  vector const x = made("x", 1), r = made("r", 5), p = made("p", 2), q = made("q", 4);
  scalar const alpha("alpha"), rr("rr");
  Kokkos::deep_copy(alpha, 0.5);
  onetrip::recorder rec;
  cg_update(exec, alpha, p, q, x, r, rr);
  EXPECT_EQ(kernels(rec), 1u) << rec;
  EXPECT_EQ(rec.so_far().of(onetrip::kind::fence).count, 0u) << rec;
  EXPECT_EQ(at(x, 0), 2);
  EXPECT_EQ(at(r, 0), 3);
  EXPECT_EQ(value_of(rr), 9000);
}

TEST(fuse_samples, runge_kutta) {
  execution_space const exec;
  vector const u = made("u", 1), k1 = made("k1", 1), k2 = made("k2", 2), k3 = made("k3", 3), k4 = made("k4", 1);
  runge_kutta(exec, 0.5, k1, k2, k3, k4, u);
  EXPECT_EQ(at(u, 7), 2);
}

TEST(fuse_samples, adamw) {
  execution_space const exec;
  floats const g("g", 100), m("m", 100), v("v", 100), p("p", 100);
  Kokkos::deep_copy(g, 0.5f);
  Kokkos::deep_copy(p, 1.0f);
  onetrip::recorder rec;
  adamw(exec, 1, g, m, v, p);
  EXPECT_EQ(kernels(rec), 1u) << rec;
  EXPECT_NEAR(at(p, 99), 1 - 1e-3 * (1 + 0.01), 1e-6); // at the first step the corrected moments are g and g^2
}

TEST(fuse_samples, norm_and_largest) {
  execution_space const exec;
  vector const x = made("x", -3);
  double largest = 0;
  EXPECT_EQ(norm_and_largest(exec, x, largest), std::sqrt(9000.0));
  EXPECT_EQ(largest, 3);
}

TEST(fuse_samples, upwind) {
  execution_space const exec;
  vector const speed = made("speed", -4), u = made("u", 3), flux = made("flux", 0), energy = made("energy", 0);
  upwind(exec, speed, u, flux, energy);
  EXPECT_EQ(at(flux, 3), 6);
  EXPECT_EQ(at(energy, 4), 18);
}

TEST(fuse_samples, scaled_sum_with_operators) {
  vector const a = made("a", 1), b = made("b", 2), c = made("c", 4), out = made("out", 0);
  scaled_sum_with_operators(execution_space(), a, b, c, out);
  EXPECT_EQ(at(out, 999), 4);
}

TEST(fuse_samples, residual) {
  vector const b = made("b", 5), ax = made("ax", 3), r = made("r", 0);
  EXPECT_EQ(residual(execution_space(), b, ax, r), 4000);
  EXPECT_EQ(at(r, 500), 2);
}

TEST(fuse_samples, plan_of_scaled_sum) {
  vector const a = made("a", 1), b = made("b", 2), c = made("c", 4), out = made("out", 0);
  onetrip::recorder rec;
  onetrip::explanation const plan = plan_of_scaled_sum(execution_space(), a, b, c, out);
  EXPECT_EQ(kernels(rec), 0u);
  EXPECT_EQ(plan.kernels, 1);
  EXPECT_EQ(plan.bytes_read, 24000);
  EXPECT_EQ(plan.bytes_written, 8000);
}

TEST(fuse_samples, shift) {
  vector const x("x", 1000);
  onetrip::assign(execution_space(), x, onetrip::cast<double>(onetrip::index<0>()));
  shift(execution_space(), x);
  EXPECT_EQ(at(x, 0), 0);
  EXPECT_EQ(at(x, 999), 998);
}
