// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/boundary.hpp>
#include <heat1d/check.hpp>
#include <heat1d/exact.hpp>
#include <heat1d/initial.hpp>
#include <heat1d/npy.hpp>
#include <heat1d/options.hpp>

#include <common/program.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace heat1d {

namespace {

using testing::ElementsAre;

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (std::exception const& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(heat1d_initial, random_is_splitmix64) {
  // the generator's first outputs for the seed 1234567, as published with it
  std::vector<std::uint64_t> const outputs{6457827717110365317u, 3203168211198807973u, 9817491932198370423u};
  auto const doubles = first_state<double>(random_values{1234567}, 3, {});
  auto const floats = first_state<float>(random_values{1234567}, 3, {});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(doubles[i], std::ldexp(static_cast<double>(outputs[i] >> 11), -52) - 1);
    EXPECT_EQ(floats[i], std::ldexp(static_cast<float>(outputs[i] >> 40), -23) - 1);
  }
}

TEST(heat1d_initial, random_fills_minus_one_to_one) {
  for (double const u : first_state<double>(random_values{0}, 10000, {}))
    EXPECT_TRUE(-1 <= u && u < 1) << u;
}

TEST(heat1d_initial, hat_is_the_middle_third) {
  EXPECT_THAT(first_state<double>(hat{}, 3, {}), ElementsAre(0, 1, 0));
  EXPECT_THAT(first_state<float>(hat{}, 8, {}), ElementsAre(0, 0, 1, 1, 1, 1, 0, 0));
}

TEST(heat1d_initial, is_read_from_its_name) {
  EXPECT_TRUE(std::holds_alternative<sine>(initial_named("sine")));
  EXPECT_TRUE(std::holds_alternative<hat>(initial_named("hat")));
  EXPECT_EQ(std::get<random_values>(initial_named("random:18446744073709551615")).seed, ~std::uint64_t{0});
  EXPECT_EQ(std::get<from_file>(initial_named("random:7.npy")).path, "random:7.npy");
  for (std::string const text : {"", "cosine", "random", "random:", "random:x", "random:-1", "random:1 ",
                                 "random:18446744073709551616", "u.npz"})
    EXPECT_EQ(message_of([&] { initial_named(text); }),
              "--initial: '" + text + "' is none of sine, hat, random:SEED (SEED a whole number below 2^64), FILE.npy");
}

TEST(heat1d_boundary, is_read_from_its_name) {
  for (std::string const name : {"fixed", "insulated", "periodic"})
    EXPECT_EQ(name_of(boundary_named(name)), name);
  EXPECT_EQ(message_of([] { boundary_named("open"); }), "heat1d: no boundary is named 'open'");
}

TEST(heat1d_exact, factors_are_the_closed_forms) {
  EXPECT_NEAR(decay(fixed_ends{}, 3, 0.25), 0.5, 1e-15);      // sin(pi/4)^2 = 1/2
  EXPECT_NEAR(decay(insulated_ends{}, 3, 0.25), 0.75, 1e-15); // sin(pi/6)^2 = 1/4
  EXPECT_NEAR(decay(periodic_ends{}, 3, 0.5), -0.5, 1e-15);   // sin(pi/3)^2 = 3/4
  EXPECT_EQ(mode(periodic_ends{}, 0, 4), 0);
  EXPECT_EQ(mode(periodic_ends{}, 1, 4), 1);
  EXPECT_EQ(mode(fixed_ends{}, 1, 3), 1);
}

TEST(heat1d_exact, error_is_the_largest_difference) {
  std::vector<double> u{0, 0.25, 0.125}; // exact after two steps: 0, 1/4, 0
  EXPECT_NEAR(error_from_exact(u, 2, 0.25, fixed_ends{}), 0.125, 1e-15);
}

TEST(heat1d_options, r_comes_from_alpha_dx_and_dt) {
  options chosen;
  EXPECT_EQ(chosen.mesh_ratio(), 0.25);
  chosen.alpha = 2;
  chosen.dx = 4;
  chosen.dt = 3;
  EXPECT_EQ(chosen.mesh_ratio(), 0.375);
  chosen.r = 0.125;
  EXPECT_EQ(chosen.mesh_ratio(), 0.125);
}

TEST(heat1d_options, the_largest_stable_step_that_a_message_names_is_taken) {
  for (double const alpha : {1.0, 0.1, 3e-7, 1e9})
    for (double const dx : {1.0, 0.1, 0.007, 1e-3, 123.0}) {
      options chosen;
      chosen.alpha = alpha;
      chosen.dx = dx;
      chosen.dt = dx * dx / alpha;
      std::string const message = message_of([&] { chosen.mesh_ratio(); });
      chosen.dt = std::stod(message.substr(message.rfind(' ')));
      EXPECT_NEAR(chosen.dt, dx * dx / (2 * alpha), 1e-15 * chosen.dt);
      EXPECT_EQ(chosen.mesh_ratio(), 0.5) << message;
    }
}

host_array<double> array_of(std::vector<double> const& values) {
  host_array<double> u("u", values.size());
  std::copy(values.begin(), values.end(), u.data());
  return u;
}

TEST(heat1d_check, takes_the_same_bits_only) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> const answer{0, 1, 2, 3};
  EXPECT_EQ(difference_from_serial(array_of(answer), answer, "mirror"), 0);
  auto const message = [&](std::vector<double> const& u) {
    return message_of([&] { difference_from_serial(array_of(u), answer, "mirror"); });
  };
  EXPECT_EQ(message({0, 1.5, 2.75, 3}), "mirror: wrong answer, worst at cell 2: 2.75, the serial run has 2");
  EXPECT_EQ(message({0, 9, nan, 3}), "mirror: wrong answer, worst at cell 2: nan, the serial run has 2");
  EXPECT_EQ(message({-0.0, 1, 2, 3}), "mirror: wrong answer, worst at cell 0: -0, the serial run has 0");
  EXPECT_THROW(difference_from_serial(array_of({1, 1, 2, 3}), answer, "mirror"), apps::wrong_answer);
}

TEST(heat1d_npy, is_written_as_numpy_writes_it) {
  std::ostringstream out;
  write_npy(out, std::vector<float>{1, -2, 0.5f});
  std::string const file = out.str();
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ((file.size() - 12) % 64, 0u);
  EXPECT_EQ(file.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }  ");
  EXPECT_EQ(file[file.size() - 13], '\n');
  EXPECT_EQ(file.substr(file.size() - 12), std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x3f", 12));
}

} // namespace

} // namespace heat1d
