// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuse/arrays.hpp"

// Random programs: each formula over Views of random shapes, strides and places, which may stretch, be the same or
// overlap, against the same formula of plain numbers in nested loops. Where brute force finds an overlap that is not
// element by element, the program must be refused.

namespace {

using namespace fuse_tests;
using onetrip::in;
using onetrip::store;

template <class T>
using cube = Kokkos::View<T***, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged>;
using row = Kokkos::View<float const*, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged>;

// Functions that formulas use, of expressions and of plain numbers.
template <class... T>
constexpr bool are_expressions = (onetrip::expression<T> || ...);
constexpr auto least = [](auto a, auto b) {
  if constexpr (are_expressions<decltype(a), decltype(b)>)
    return onetrip::min(a, b);
  else
    return a < b ? a : b;
};
constexpr auto absolute = [](auto a) {
  if constexpr (are_expressions<decltype(a)>)
    return onetrip::abs(a);
  else
    return a < 0 ? -a : a;
};
constexpr auto down = [](auto a) {
  if constexpr (are_expressions<decltype(a)>)
    return onetrip::floor(a);
  else
    return std::floor(a);
};
constexpr auto choose = [](auto c, auto a, auto b) {
  if constexpr (are_expressions<decltype(c)>)
    return onetrip::where(c, a, b);
  else
    return c ? a : b;
};

/// Where an operand lies in its memory.
struct place {
  std::array<std::size_t, 3> extent{};
  std::array<std::size_t, 3> stride{};
  std::size_t offset = 0;

  std::size_t at(std::size_t i, std::size_t j, std::size_t k) const { // stretched where an extent is 1
    std::array const index{i, j, k};
    std::size_t found = offset;
    for (int d = 0; d < 3; ++d)
      found += extent[d] == 1 ? 0 : index[d] * stride[d];
    return found;
  }
  Kokkos::LayoutStride layout() const {
    return Kokkos::LayoutStride(extent[0], stride[0], extent[1], stride[1], extent[2], stride[2]);
  }
};

template <class F>
void for_each_index(std::array<std::size_t, 3> const& extent, F const& f) {
  for (std::size_t i = 0; i < extent[0]; ++i)
    for (std::size_t j = 0; j < extent[1]; ++j)
      for (std::size_t k = 0; k < extent[2]; ++k)
        f(i, j, k);
}

constexpr std::size_t quarter = 2500; // of the memory: an operand needs no more

/// The places of a program's operands.
class random_program {
public:
  place x, y, a, b, c, r;

  explicit random_program(unsigned seed) : m_engine(seed) {
    std::array<std::size_t, 3> extent{};
    for (std::size_t& e : extent)
      e = chance(4) ? 0 : number(1, 6);
    m_long = chance(30);
    if (m_long) { // rows of more than a chunk, one way or another
      extent = {number(1, 2), number(1, 2), number(1, 2)};
      extent[number(0, 2)] = number(250, 300);
    }
    m_packed = chance(40);
    m_order = {0, 1, 2};
    std::shuffle(m_order.begin(), m_order.end(), m_engine);
    x = random_place(extent, 0);
    y = random_place(extent, chance(10) ? number(0, 300) : quarter);
    a = random_input(extent, 2 * quarter);
    c = random_input(extent, 3 * quarter);
    b = random_place(chance(20) ? stretched(extent) : extent, 0); // in memory of its own
    r = random_place({1, 1, chance(10) ? 1 : extent[2]}, chance(10) ? number(0, 500) : 2 * quarter);
    if (chance(3))
      x.stride[number(0, 2)] = number(0, 3);
  }

private:
  bool chance(int percent) { return number(1, 100) <= static_cast<std::size_t>(percent); }
  std::size_t number(int low, int high) {
    return static_cast<std::size_t>(std::uniform_int_distribution<int>(low, high)(m_engine));
  }

  std::array<std::size_t, 3> stretched(std::array<std::size_t, 3> extent) {
    for (std::size_t& e : extent)
      e = chance(40) ? 1 : e;
    return extent;
  }

  place random_place(std::array<std::size_t, 3> const& extent, std::size_t from) {
    place made{extent, {}, from + number(0, 9)};
    auto order = m_order;
    if (!m_packed && chance(40))
      std::shuffle(order.begin(), order.end(), m_engine);
    std::size_t stride = m_packed || chance(75) ? 1 : m_long ? 2 : number(2, 3);
    for (int k = 3; k-- > 0;) {
      made.stride[order[k]] = stride;
      stride = stride * extent[order[k]] + (!m_packed && !m_long && chance(25) ? number(1, 2) : 0);
    }
    return made;
  }

  place random_input(std::array<std::size_t, 3> const& extent, std::size_t from) {
    if (chance(20))
      return x;
    if (chance(20))
      return y;
    if (chance(8)) { // shifted
      place made = chance(50) ? x : y;
      made.offset += number(0, 2);
      return made;
    }
    return random_place(!m_packed && chance(30) ? stretched(extent) : extent, chance(8) ? number(0, 200) : from);
  }

  std::mt19937 m_engine;
  bool m_long = false;
  bool m_packed = false; // all operands contiguous, in the same order of dimensions
  std::array<int, 3> m_order{};
};

std::vector<std::size_t> elements(place const& p, std::array<std::size_t, 3> const& extent) {
  std::vector<std::size_t> found;
  for_each_index(extent, [&](auto i, auto j, auto k) { found.push_back(p.at(i, j, k)); });
  return found;
}

bool overlap_by_brute_force(std::vector<std::size_t> a, std::vector<std::size_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::size_t> common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return !common.empty();
}

bool must_be_refused(std::vector<place> const& outputs, std::vector<place> const& inputs) {
  auto const& extent = outputs[0].extent;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    auto const written = elements(outputs[o], extent);
    auto unique = written;
    std::sort(unique.begin(), unique.end());
    if (std::adjacent_find(unique.begin(), unique.end()) != unique.end())
      return true;
    for (std::size_t other = o + 1; other < outputs.size(); ++other)
      if (overlap_by_brute_force(written, elements(outputs[other], extent)))
        return true;
    for (place const& input : inputs)
      if (auto const read = elements(input, extent); read != written && overlap_by_brute_force(written, read))
        return true;
  }
  return false;
}

struct no_statement {};

/// x = f(a, b, c, r, s); y = g(x, a, b, c); total = sum of h(x, y, c). Where `g` is `no_statement`, the first alone;
/// `r`, a row, is read where `HasRow` says so.
template <bool HasRow, class F, class G, class H>
class programs {
public:
  programs(F f, G g, H h) : m_f(f), m_g(g), m_h(h) {}

  void expect(unsigned first_seed, int count) {
    int refused = 0;
    for (unsigned seed = first_seed; seed < first_seed + count; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      random_program const p(seed);
      std::vector outputs{p.x}, inputs{p.a, p.c};
      if (is_group)
        outputs.push_back(p.y);
      if (HasRow)
        inputs.push_back(p.r);
      auto expected = m_floats;
      double expected_total = 0;
      bool const must_throw = must_be_refused(outputs, inputs);
      refused += must_throw;
      if (!must_throw)
        evaluate(p, expected, expected_total);

      set(m_memory, m_floats);
      double total = 0;
      bool has_thrown = false;
      try {
        run(p, total);
      } catch (onetrip::alias_error const&) {
        has_thrown = true;
      }
      ASSERT_EQ(has_thrown, must_throw);
      ASSERT_EQ(values_of(m_memory), expected);
      ASSERT_EQ(total, expected_total);
    }
    EXPECT_GT(refused, count / 50);
    EXPECT_LT(refused, count / 2);
  }

private:
  static constexpr bool is_group = !std::is_same_v<G, no_statement>;

  void evaluate(random_program const& p, std::vector<float>& m, double& total) const {
    for_each_index(p.x.extent, [&](auto i, auto j, auto k) {
      float& x = m[p.x.at(i, j, k)];
      std::int16_t const b = m_shorts[p.b.at(i, j, k)];
      x = m_f(m[p.a.at(i, j, k)], b, m[p.c.at(i, j, k)], m[p.r.at(i, j, k)], 3.0f);
      if constexpr (is_group) {
        float& y = m[p.y.at(i, j, k)];
        y = m_g(x, m[p.a.at(i, j, k)], b, m[p.c.at(i, j, k)]);
        total += m_h(x, y, m[p.c.at(i, j, k)]);
      }
    });
  }

  void run(random_program const& p, double& total) const {
    cube<float> const x = view(p.x), y = view(p.y);
    cube<float const> const a = view(p.a), c = view(p.c);
    cube<std::int16_t const> const b(m_memory_of_shorts.data() + p.b.offset, p.b.layout());
    row const r(m_memory.data() + p.r.offset, Kokkos::LayoutStride(p.r.extent[2], p.r.stride[2]));
    auto const first = store(x, m_f(in(a), in(b), in(c), in(r), in(m_three)));
    if constexpr (is_group)
      onetrip::fuse(device(), "random", first, store(y, m_g(in(x), in(a), in(b), in(c))),
                    onetrip::sum(total, m_h(in(x), in(y), in(c))));
    else
      onetrip::fuse(device(), "random", first);
  }

  cube<float> view(place const& p) const { return cube<float>(m_memory.data() + p.offset, p.layout()); }

  F m_f;
  G m_g;
  H m_h;
  std::vector<float> m_floats = filled<float>(4 * quarter, scrambled);
  std::vector<std::int16_t> m_shorts = filled<std::int16_t>(quarter, [](auto i) { return scrambled(i + 5); });
  array<float> m_memory{"floats", 4 * quarter};
  array<std::int16_t> m_memory_of_shorts = make(m_shorts);
  scalar<float> m_three = make_scalar(3.0f);
};

constexpr int runs = 230;

template <bool HasRow = false, class F, class G, class H>
void expect_groups(unsigned seed, F f, G g, H h) {
  programs<HasRow, F, G, H>(f, g, h).expect(seed, runs);
}
template <bool HasRow = false, class F>
void expect_single(unsigned seed, F f) {
  programs<HasRow, F, no_statement, no_statement>(f, {}, {}).expect(seed, runs);
}

// Values stay whole and below 2^24, so that float is exact in any order.

TEST(random_programs, of_one_statement) {
  expect_single(1000, [](auto a, auto b, auto c, auto, auto s) { return (a + b) * c - s; });
  expect_single(2000, [](auto a, auto b, auto c, auto, auto) { return choose(a < c, a * 2.0f, b - a); });
  expect_single<true>(3000, [](auto a, auto b, auto c, auto r, auto s) { return a * s + r * b + least(c, 2.0f); });
  expect_single<true>(4000, [](auto a, auto, auto c, auto r, auto) { return absolute(r) + down(a * 0.5f) - c; });
}

TEST(random_programs, of_three_statements) {
  expect_groups(
      10'000, [](auto a, auto b, auto c, auto, auto) { return a + b * 2.0f - c; },
      [](auto x, auto a, auto, auto c) { return x * 3.0f - a + c; }, [](auto x, auto y, auto) { return x + y; });
  expect_groups(
      20'000, [](auto a, auto b, auto c, auto, auto s) { return least(a, c) * s + b; },
      [](auto x, auto a, auto b, auto c) { return choose(x > 0.0f, a, c) - b; },
      [](auto x, auto y, auto c) { return absolute(x) * 2.0f + (y - c); });
  expect_groups(
      30'000, [](auto a, auto b, auto c, auto, auto) { return (a - c) * (b + 1) - (c - 2.0f); },
      [](auto x, auto a, auto, auto c) { return down(x * 0.25f) + (a + c); },
      [](auto x, auto y, auto c) { return least(x, y) - c; });
  expect_groups<true>(
      40'000, [](auto a, auto b, auto c, auto r, auto s) { return (r + s) * b - a + c; },
      [](auto x, auto a, auto b, auto c) { return -x + least(a, c) * b; },
      [](auto x, auto y, auto c) { return choose(y < x, c, x - y); });
  expect_groups<true>(
      50'000, [](auto a, auto b, auto c, auto r, auto) { return choose(r > 0.0f, a, c) + b; },
      [](auto x, auto a, auto, auto c) { return absolute(x - c) + a; }, [](auto x, auto y, auto) { return y - x; });
}

} // namespace
