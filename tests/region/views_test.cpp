// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region/arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

// Views of every sort on the device and back: their strides there, each element, and nothing beside them.

namespace {

using namespace region_tests;
using Kokkos::ALL;
using onetrip::copy, onetrip::copyin, onetrip::copyout, onetrip::create;
using onetrip::region;

/// Element `i` of a View of any rank, the first index slowest.
template <class View>
KOKKOS_FUNCTION decltype(auto) element(View const& x, std::size_t i) {
  std::size_t at[8] = {};
  for (int d = static_cast<int>(View::rank()) - 1; d >= 0; --d) {
    at[d] = i % x.extent(d);
    i /= x.extent(d);
  }
  return x.access(at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]);
}

template <class To, class From>
struct copy_elements {
  To to;
  From from;
  KOKKOS_FUNCTION void operator()(int i) const {
    element(to, static_cast<std::size_t>(i)) = element(from, static_cast<std::size_t>(i));
  }
};

/// `bytes_of(x, i)` for the values of tests.
template <class T>
T value_at(std::size_t i) {
  T value{};
  std::array<unsigned char, sizeof(T)> bytes;
  for (std::size_t b = 0; b < sizeof(T); ++b)
    bytes[b] = static_cast<unsigned char>((i * 7 + b * 3 + 1) % 100);
  std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
  return value;
}

template <class T>
bool same(T const& a, T const& b) {
  return std::memcmp(static_cast<void const*>(&a), static_cast<void const*>(&b), sizeof(T)) == 0;
}

/// A View `source` of the host's goes to the device, is copied there into `target`, and comes back; each View may be a
/// part of something larger, of which only it moves.
template <class View>
void there_and_back(View const& source, View const& target) {
  using T = typename View::non_const_value_type;
  device const exec;
  mode const how(onetrip::alias::distinct);
  for (std::size_t i = 0; i < source.size(); ++i)
    element(source, i) = value_at<T>(i);
  std::size_t const bytes = source.size() * sizeof(T);
  EXPECT_EQ(moved_in([&] {
              region const data(exec, copyin(source), copyout(target));
              auto const from = onetrip::device_ro(exec, source);
              auto const to = data.device(target);
              static_assert(std::is_same_v<typename decltype(to)::data_type, typename View::data_type>);
              static_assert(std::is_same_v<typename decltype(to)::array_layout, typename View::array_layout>);
              for (std::size_t d = 0; d < View::rank(); ++d) {
                EXPECT_EQ(to.extent(d), target.extent(d));
                EXPECT_EQ(to.stride(d), target.stride(d)) << d << " of " << View::rank();
              }
              Kokkos::parallel_for(
                  "copy_elements", Kokkos::RangePolicy<device>(exec, 0, static_cast<int>(to.size())),
                  copy_elements<std::remove_const_t<decltype(to)>, std::remove_const_t<decltype(from)>>{to, from});
            }),
            (moved{{1, bytes}, {1, bytes}}));
  for (std::size_t i = 0; i < target.size(); ++i)
    EXPECT_TRUE(same(element(target, i), value_at<T>(i))) << i;
}

template <class View, class... Extents>
void whole(Extents... extents) {
  there_and_back(View("source", extents...), View("target", extents...));
}

TEST(region_views, of_every_rank) {
  whole<Kokkos::View<double, host>>();
  whole<Kokkos::View<double*, Kokkos::LayoutLeft, host>>(5);
  whole<Kokkos::View<float**, Kokkos::LayoutLeft, host>>(5, 3);
  whole<Kokkos::View<float**, Kokkos::LayoutRight, host>>(5, 3);
  whole<Kokkos::View<int** [2], Kokkos::LayoutLeft, host>>(5, 3);
  whole<Kokkos::View<int*** [3], Kokkos::LayoutRight, host>>(2, 3, 2);
  whole<Kokkos::View<int*****, Kokkos::LayoutRight, host>>(2, 3, 1, 2, 3);
  whole<Kokkos::View<short******, Kokkos::LayoutLeft, host>>(2, 1, 2, 3, 1, 2);
  whole<Kokkos::View<char*******, Kokkos::LayoutRight, host>>(2, 3, 1, 2, 1, 2, 3);
  whole<Kokkos::View<double********, Kokkos::LayoutLeft, host>>(2, 1, 3, 2, 1, 2, 1, 3);
}

struct three_bytes {
  char a, b, c;
};

TEST(region_views, of_every_sort_of_element) {
  whole<Kokkos::View<three_bytes*, host>>(7);
  whole<Kokkos::View<Kokkos::complex<double>*, host>>(5);
  whole<Kokkos::View<Kokkos::Experimental::half_t*, host>>(5);
  whole<Kokkos::View<std::int64_t*, host>>(1);
  Kokkos::View<three_bytes**, Kokkos::LayoutLeft, host> const a("a", 4, 6), b("b", 4, 6);
  there_and_back(Kokkos::subview(a, std::pair(1, 3), ALL), Kokkos::subview(b, std::pair(1, 3), ALL));
}

/// Parts of a cube, of whose other elements none may move.
template <class Layout, class T, class Cut>
void part_of_a_cube(Cut const& cut) {
  Kokkos::View<T***, Layout, host> const a("a", 5, 6, 7), b("b", 5, 6, 7);
  Kokkos::deep_copy(a, T(99));
  Kokkos::deep_copy(b, T(99));
  there_and_back(cut(a), cut(b));
  Kokkos::deep_copy(cut(b), T(99));
  for (std::size_t i = 0; i < b.size(); ++i)
    EXPECT_EQ(element(b, i), T(99)) << i;
}

TEST(region_views, of_parts_with_gaps_between) {
  auto const plane_0 = [](auto const& v) { return Kokkos::subview(v, 2, ALL, ALL); };
  auto const plane_1 = [](auto const& v) { return Kokkos::subview(v, ALL, 2, ALL); };
  auto const plane_2 = [](auto const& v) { return Kokkos::subview(v, ALL, ALL, 2); };
  auto const column = [](auto const& v) { return Kokkos::subview(v, 1, ALL, 2); };
  auto const box = [](auto const& v) { return Kokkos::subview(v, std::pair(1, 4), std::pair(2, 4), std::pair(1, 6)); };
  auto const slab = [](auto const& v) { return Kokkos::subview(v, ALL, std::pair(1, 3), ALL); };
  auto const all = [&]<class Layout, class T>() {
    part_of_a_cube<Layout, T>(plane_0);
    part_of_a_cube<Layout, T>(plane_1);
    part_of_a_cube<Layout, T>(plane_2);
    part_of_a_cube<Layout, T>(column);
    part_of_a_cube<Layout, T>(box);
    part_of_a_cube<Layout, T>(slab);
  };
  all.operator()<Kokkos::LayoutRight, double>();
  all.operator()<Kokkos::LayoutLeft, float>();
  all.operator()<Kokkos::LayoutRight, short>();
}

TEST(region_views, of_other_strides) {
  std::vector<double> memory(200, 99), other(200, 99);
  using strided = Kokkos::View<double**, Kokkos::LayoutStride, host, Kokkos::MemoryUnmanaged>;
  for (auto const& layout : {Kokkos::LayoutStride(4, 1, 3, 9), Kokkos::LayoutStride(4, 3, 3, 13),
                             Kokkos::LayoutStride(4, 3, 3, 1), Kokkos::LayoutStride(1, 77, 5, 2)})
    there_and_back(strided(memory.data(), layout), strided(other.data(), layout));
}

TEST(region_views, parts_of_a_part_and_only_those_are_present) {
  device const exec;
  mode const how(onetrip::alias::distinct);
  Kokkos::View<int**, Kokkos::LayoutRight, host> const m("m", 6, 10);
  for (std::size_t i = 0; i < m.size(); ++i)
    element(m, i) = static_cast<int>(i);
  auto const box = Kokkos::subview(m, std::pair(1, 5), std::pair(2, 6));
  region const data(exec, copyin(box));
  auto const rows = Kokkos::subview(m, std::pair(2, 4), std::pair(2, 6));
  auto const corner = Kokkos::subview(m, 4, std::pair(4, 6));
  auto const column = Kokkos::subview(m, std::pair(1, 5), 5);
  EXPECT_EQ(moved_in([&] {
              region const inner(exec, copy(rows), copy(corner), copy(column));
              add(exec, inner.device(corner), 1000);
              onetrip::update_host(exec, corner);
              onetrip::update_host(exec, rows);
            }),
            (moved{{}, {2, 8 + 32}}));
  EXPECT_EQ(m(4, 4), 1044);
  EXPECT_EQ(m(3, 3), 33);
  // shares the range, but not the elements
  EXPECT_THROW(data.device(Kokkos::subview(m, 2, std::pair(2, 7))), onetrip::partially_present);
  EXPECT_THROW(data.device(Kokkos::subview(m, std::pair(2, 4), 7)), onetrip::partially_present);
  EXPECT_THROW(data.device(Kokkos::subview(m, std::pair(2, 4), std::pair(1, 3))), onetrip::partially_present);
  EXPECT_THROW(data.device(Kokkos::subview(m, std::pair(1, 6), 3)), onetrip::partially_present);
}

TEST(region_views, a_row_of_a_matrix_of_one_row_is_the_matrix) {
  device const exec;
  mode const how(onetrip::alias::distinct);
  Kokkos::View<int**, Kokkos::LayoutRight, host> const m("m", 1, 10);
  region const data(exec, copyin(m));
  EXPECT_EQ(data.device(Kokkos::subview(m, 0, ALL)).extent(0), 10u);
}

TEST(region_views, packed_updates_move_exactly_their_bytes) {
  device const exec;
  mode const how(onetrip::alias::distinct);
  Kokkos::View<double***, Kokkos::LayoutLeft, host> const a("a", 8, 8, 8);
  region const data(exec, copyin(a));
  auto const plane = Kokkos::subview(a, 3, ALL, ALL);
  EXPECT_EQ(moved_in([&] { onetrip::update_host(exec, plane); }), (moved{{}, {1, 64 * sizeof(double)}}));
  EXPECT_EQ(moved_in([&] { onetrip::update_device(exec, plane); }), (moved{{1, 64 * sizeof(double)}, {}}));
}

} // namespace
