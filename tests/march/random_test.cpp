// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "march/cases.hpp"

// Random data, rules, sizes, steps, tiles and depths: the same bits as a serial loop.

namespace {

using namespace march_tests;

#ifdef NDEBUG
constexpr int cases = 150; // of each type, rule and ends
#else
constexpr int cases = 40;
#endif

class generator {
public:
  explicit generator(unsigned seed) : m_engine(seed) {}

  /// From `least` to `most`.
  int number(int least, int most) {
    return least + static_cast<int>(m_engine() % static_cast<unsigned>(most - least + 1));
  }
  int one_of(std::vector<int> const& values) {
    return values[static_cast<std::size_t>(number(0, static_cast<int>(values.size()) - 1))];
  }
  template <class T>
  std::vector<T> state(int points, bool special) {
    std::vector<T> u(static_cast<std::size_t>(points));
    for (T& x : u)
      x = static_cast<T>(number(-4095, 4096)) / 4096;
    if (special) { // infinities and NaN travel, too
      u[static_cast<std::size_t>(number(0, points - 1))] = Kokkos::Experimental::infinity_v<T>;
      u[static_cast<std::size_t>(number(0, points - 1))] = -Kokkos::Experimental::infinity_v<T>;
    }
    return u;
  }

  /// Near the sizes of tiles, one or several, where paths and their parts begin and end.
  int points(int halo, int tile) {
    switch (number(0, 4)) {
    case 0: return number(1, 40);
    case 1: return std::max(1, number(1, 3) * (tile - 2 * halo) + number(-2, 2));
    case 2: return std::max(1, number(1, 3) * tile + number(-2, 2));
    case 3: return std::max(1, 1024 * number(1, 3) + 2 * halo + number(-2, 2));
    default: return number(1, 5000);
    }
  }

  onetrip::march_tuning tuning(bool wide) {
    onetrip::march_tuning t;
    t.path = number(0, 9) == 0 ? onetrip::march_path::stepping : onetrip::march_path::tiles;
    bool const on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, device::memory_space>::accessible;
    t.lane_points = on_host ? one_of({0, 0, 3, 8, 50}) : one_of({0, 8, 16, wide ? 32 : 64});
    t.depth = one_of({0, 1, 2, 3, 4, 5, 8, 13, 31, 32, 33, 64});
    return t;
  }

private:
  std::mt19937 m_engine;
};

/// A type, ends and a rule.
template <class T, template <class> class Rule, class Ends>
struct of {
  using type = T;
  using rule = Rule<T>;
  using ends = Ends;
};
template <class T>
using driven = onetrip::driven_ends<wave<T>>;

template <class Of>
class march_random : public testing::Test {};

using all = testing::Types<of<float, heat, onetrip::fixed_ends>, of<float, heat, onetrip::insulated_ends>,
                           of<float, heat, onetrip::periodic_ends>, of<float, heat, driven<float>>,
                           of<float, jump, onetrip::periodic_ends>, of<float, placed, onetrip::fixed_ends>,
                           of<double, heat, onetrip::fixed_ends>, of<double, heat, onetrip::insulated_ends>,
                           of<double, heat, onetrip::periodic_ends>, of<double, heat, driven<double>>,
                           of<double, jump, onetrip::fixed_ends>, of<double, jump, onetrip::insulated_ends>,
                           of<double, placed, onetrip::fixed_ends>, of<double, placed, onetrip::insulated_ends>,
                           of<double, placed, onetrip::periodic_ends>, of<double, placed, driven<double>>>;
TYPED_TEST_SUITE(march_random, all);

/// The rule for the marcher, on the device, and for the serial loop.
template <class Rule, class T>
std::pair<Rule, Rule> rules(array<T> const& there, std::vector<T> const& coefficient) {
  if constexpr (std::is_same_v<Rule, placed<T>>) {
    return {Rule{there}, Rule{Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(coefficient.data(),
                                                                                                 coefficient.size())}};
  } else if constexpr (std::is_same_v<Rule, heat<T>>) {
    return {Rule{T(0.3)}, Rule{T(0.3)}};
  } else {
    return {};
  }
}

TYPED_TEST(march_random, has_the_bits_of_a_serial_loop) {
  using T = typename TypeParam::type;
  using ends = typename TypeParam::ends;
  generator random(1);
  for (int k = 0; k < cases; ++k) {
    auto const tuning = random.tuning(sizeof(T) == 8);
    int const depth = tuning.depth == 0 ? 20 : tuning.depth;
    auto const start = random.template state<T>(random.points(depth, 32 * tuning.lane_points), k % 8 == 0);
    auto const coefficient = random.template state<T>(static_cast<int>(start.size()), false);
    array<T> const on_device("coefficient", start.size());
    upload(coefficient, on_device);
    auto const [rule, serial_rule] = rules<typename TypeParam::rule>(on_device, coefficient);
    int const steps = random.one_of({0, 1, 2, depth, 2 * depth - 1, 2 * depth, 2 * depth + 1, 5 * depth + 3});
    std::int64_t const first_step = random.one_of({0, 0, 1'000'000'007});
    std::size_t const wrong = differences(marched(start, steps, rule, ends{}, tuning, first_step),
                                          expected(start, steps, serial_rule, ends{}, first_step));
    EXPECT_EQ(wrong, 0u) << start.size() << " points, " << steps << " steps, path " << static_cast<int>(tuning.path)
                         << ", lane points " << tuning.lane_points << ", depth " << tuning.depth;
  }
}

} // namespace
