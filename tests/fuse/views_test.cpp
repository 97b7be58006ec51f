// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "fuse/arrays.hpp"

// Views of every rank, layout and stride; each element of the memory around an output is checked too.

namespace {

using namespace fuse_tests;
using onetrip::assign;
using onetrip::in;

/// `T***` for rank 3.
template <class T, int Rank>
struct pointers {
  using type = typename pointers<T*, Rank - 1>::type;
};
template <class T>
struct pointers<T, 0> {
  using type = T;
};

template <class T, class Layout, int Rank>
using foreign_view = Kokkos::View<typename pointers<T, Rank>::type, Layout, device, Kokkos::MemoryUnmanaged>;

using shape = std::array<std::size_t, 8>;

/// How a View lies in memory: `order` names its dimensions from the slowest one on; the fastest takes each `step`th
/// position, and each leaves `spare` positions at its end.
struct placement {
  std::vector<int> order;
  std::size_t step = 1;
  std::size_t spare = 0;
};

Kokkos::LayoutStride strides_of(int rank, shape const& extents, placement const& p) {
  Kokkos::LayoutStride layout;
  std::size_t stride = p.step;
  for (int k = rank; k-- > 0;) {
    int const d = p.order[k];
    layout.dimension[d] = extents[d];
    layout.stride[d] = stride;
    stride = stride * extents[d] + p.spare;
  }
  return layout;
}

template <class Layout>
Layout layout_of(int rank, shape const& extents) {
  Layout layout;
  for (int d = 0; d < rank; ++d)
    layout.dimension[d] = extents[d];
  return layout;
}

template <class View>
std::size_t offset_of(View const& view, shape const& index) {
  std::size_t offset = 0;
  for (int d = 0; d < static_cast<int>(View::rank()); ++d)
    offset += index[d] * view.stride(d);
  return offset;
}

/// `f(index)` for every index of the shape.
template <class F>
void for_each_index(int rank, shape const& extents, F const& f) {
  for (int d = 0; d < rank; ++d)
    if (extents[d] == 0)
      return;
  shape index{};
  for (;;) {
    f(index);
    int d = rank;
    while (d > 0 && ++index[d - 1] == extents[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

constexpr std::size_t room = 30'000; // elements of memory for each operand

/// out = a * 3 + b, all of which lie in `memory`.
template <class Out, class A, class B>
void expect_formula(Out const& out, A const& a, B const& b, array<int> const& memory) {
  constexpr int rank = static_cast<int>(Out::rank());
  shape extents{};
  for (int d = 0; d < rank; ++d)
    extents[d] = out.extent(d);
  ASSERT_LE(out.span(), room);
  auto const values = filled<int>(3 * room, scrambled);
  set(memory, values);
  auto expected = values;
  for_each_index(rank, extents, [&](shape const& index) {
    expected[out.data() - memory.data() + offset_of(out, index)] =
        values[a.data() - memory.data() + offset_of(a, index)] * 3 +
        values[b.data() - memory.data() + offset_of(b, index)];
  });
  assign(device(), out, in(a) * 3 + b);
  EXPECT_EQ(values_of(memory), expected) << "rank " << rank;
}

/// With extents of one, rows longer than a chunk and rows shorter than one, everywhere.
std::vector<shape> shapes(int rank) {
  switch (rank) {
  case 1: return {{1}, {3}, {257}, {1003}};
  case 2: return {{3, 7}, {5, 300}, {300, 5}, {1, 64}, {64, 1}};
  case 3: return {{2, 3, 5}, {3, 270, 4}, {4, 1, 261}, {259, 2, 3}};
  default: shape some{3, 2, 4, 2, 1, 2, 3, 2}, others{1, 3, 2, 2, 3, 1, 2, 5}; return {some, others};
  }
}

template <class Layout, int Rank>
auto view_of(array<int> const& memory, std::size_t offset, shape const& extents, [[maybe_unused]] int variant) {
  if constexpr (std::is_same_v<Layout, Kokkos::LayoutStride>) {
    placement p{{}, variant % 3 == 2 ? 2u : 1u, variant / 3 % 2 == 1 ? 1u : 0u};
    for (int d = 0; d < Rank; ++d) // rotated, or also reversed
      p.order.push_back(variant % 2 == 0 ? (d + variant) % Rank : (Rank - 1 - d + variant) % Rank);
    return foreign_view<int, Layout, Rank>(memory.data() + offset, strides_of(Rank, extents, p));
  } else {
    return foreign_view<int, Layout, Rank>(memory.data() + offset, layout_of<Layout>(Rank, extents));
  }
}

template <int Rank, class Out, class A, class B>
void expect_formula_in_all_shapes() {
  array<int> const memory("memory", 3 * room);
  int variant = 0;
  for (shape const& extents : shapes(Rank))
    for (int i = 0; i < 6; ++i, ++variant)
      expect_formula(view_of<Out, Rank>(memory, variant % 4, extents, variant),
                     view_of<A, Rank>(memory, room + variant % 3, extents, variant + i),
                     view_of<B, Rank>(memory, 2 * room + variant % 2, extents, 2 * variant + i), memory);
}

using left = Kokkos::LayoutLeft;
using right = Kokkos::LayoutRight;
using strided = Kokkos::LayoutStride;

TEST(views, of_one_layout) {
  expect_formula_in_all_shapes<3, left, left, left>();
  expect_formula_in_all_shapes<2, right, right, right>();
}

TEST(views, of_layouts_that_differ) {
  expect_formula_in_all_shapes<2, left, right, right>();
  expect_formula_in_all_shapes<3, right, left, strided>();
}

TEST(views, strided_of_every_rank) {
  expect_formula_in_all_shapes<1, strided, strided, strided>();
  expect_formula_in_all_shapes<2, strided, strided, strided>();
  expect_formula_in_all_shapes<4, strided, strided, strided>();
  expect_formula_in_all_shapes<5, left, strided, strided>();
  expect_formula_in_all_shapes<6, strided, strided, left>();
  expect_formula_in_all_shapes<7, strided, strided, right>();
  expect_formula_in_all_shapes<8, strided, left, strided>();
}

TEST(views, of_rank_0) {
  array<int> const memory("memory", 3 * room);
  expect_formula(foreign_view<int, right, 0>(memory.data() + 7), foreign_view<int, right, 0>(memory.data() + room),
                 foreign_view<int, left, 0>(memory.data() + 2 * room + 1), memory);
}

TEST(views, without_elements_change_nothing) {
  array<int> const memory("memory", 3 * room);
  for (int i = 0; i < 3; ++i) {
    shape extents{2, 3, 5};
    extents[i] = 0;
    for (int variant = 0; variant < 6; ++variant)
      expect_formula(view_of<strided, 3>(memory, 1, extents, variant), view_of<left, 3>(memory, room, extents, 0),
                     view_of<right, 3>(memory, 2 * room, extents, 0), memory);
  }
  expect_formula(view_of<right, 1>(memory, 1, {0}, 0), view_of<left, 1>(memory, room, {0}, 0),
                 view_of<right, 1>(memory, 2 * room, {0}, 0), memory);
}

/// out(i, j) = what `value` says, in a View of 9 x 300.
template <class Out, class F>
void expect_matrix(Out const& out, F const& value, char const* what) {
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  for (std::size_t i = 0; i < out.extent(0); ++i)
    for (std::size_t j = 0; j < out.extent(1); ++j)
      ASSERT_EQ(host(i, j), value(static_cast<int>(i), static_cast<int>(j))) << what << " at " << i << ", " << j;
}

int number_at(int i, int j) { return 1000 * i + j; }

template <class Layout>
void expect_broadcasts() {
  using matrix = Kokkos::View<int**, Layout, device>;
  matrix const out("out", 9, 300), full("full", 9, 300);
  assign(device(), full, onetrip::cast<int>(onetrip::index<0>() * 1000 + onetrip::index<1>()));
  expect_matrix(full, number_at, "index");
  array<int> const row("row", 300), one("one", 1);
  assign(device(), row, onetrip::cast<int>(onetrip::index<0>() * 2));
  matrix const column("column", 9, 1), row_2("row_2", 1, 300), one_2("one_2", 1, 1);
  assign(device(), column, onetrip::cast<int>(onetrip::index<0>() * 7));
  assign(device(), row_2, onetrip::cast<int>(onetrip::index<1>() * 3));
  assign(device(), one_2, 5);
  assign(device(), one, 11);
  auto const s = make_scalar(13);

  assign(device(), out, in(full) + row);
  expect_matrix(out, [](int i, int j) { return number_at(i, j) + 2 * j; }, "row");
  assign(device(), out, in(full) + column);
  expect_matrix(out, [](int i, int j) { return number_at(i, j) + 7 * i; }, "column");
  assign(device(), out, in(column)*row_2);
  expect_matrix(out, [](int i, int j) { return 21 * i * j; }, "column and row");
  assign(device(), out, in(one_2)*one + s);
  expect_matrix(out, [](int, int) { return 68; }, "scalars");
  assign(device(), out, column);
  expect_matrix(out, [](int i, int) { return 7 * i; }, "column alone");
  // A part of a row, each second one, and a row of the transposed.
  assign(device(), out, in(full)-Kokkos::subview(full, 4, Kokkos::ALL));
  expect_matrix(out, [](int i, int j) { return number_at(i, j) - number_at(4, j); }, "row of a View");
  auto const corner = Kokkos::subview(out, Kokkos::ALL, std::pair(291, 300));
  Kokkos::deep_copy(out, 0);
  assign(device(), corner, in(Kokkos::subview(full, 2, std::pair(0, 9))) * 2);
  expect_matrix(out, [](int, int j) { return j < 291 ? 0 : 2 * number_at(2, j - 291); }, "part");
}

TEST(views, stretch_to_the_shape) {
  expect_broadcasts<left>();
  expect_broadcasts<right>();
}

TEST(views, of_rank_1_and_2_stretch_to_rank_3) {
  Kokkos::View<int***, right, device> const out("out", 3, 4, 300), thin("thin", 3, 1, 300);
  Kokkos::View<int**, left, device> const columns("columns", 4, 1);
  array<int> const row("row", 300);
  assign(device(), thin, onetrip::cast<int>(onetrip::index<0>() * 10'000 + onetrip::index<2>()));
  assign(device(), columns, onetrip::cast<int>(onetrip::index<0>() * 1'000'000));
  assign(device(), row, onetrip::cast<int>(onetrip::index<0>() * 5));
  assign(device(), out, in(thin) + columns - row + onetrip::cast<int>(onetrip::index<1>()));
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 300; ++k)
        ASSERT_EQ(host(i, j, k), 10'000 * i + k + 1'000'000 * j - 5 * k + j);
}

template <class Layout>
void expect_indices() {
  Kokkos::View<std::int64_t***, Layout, device> const parent("parent", 6, 9, 280);
  auto const out = Kokkos::subview(parent, std::pair(1, 4), std::pair(2, 7), std::pair(3, 278));
  assign(device(), out, onetrip::index<0>() * 1'000'000 + onetrip::index<1>() * 1000 + onetrip::index<2>() + 1);
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), parent);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 9; ++j)
      for (int k = 0; k < 280; ++k) {
        bool const inside = i >= 1 && i < 4 && j >= 2 && j < 7 && k >= 3 && k < 278;
        ASSERT_EQ(host(i, j, k), inside ? (i - 1) * 1'000'000 + (j - 2) * 1000 + k - 3 + 1 : 0) << i << j << k;
      }
}

TEST(views, indices_are_those_of_the_shape_in_any_layout) {
  expect_indices<left>();
  expect_indices<right>();
}

TEST(views, const_static_extents_and_access_traits) {
  Kokkos::View<int* [3], device> const out("out", 5);
  Kokkos::View<int[5][3], right, device> const a("a");
  assign(device(), a, onetrip::cast<int>(onetrip::index<0>() * 10 + onetrip::index<1>()));
  Kokkos::View<int const[5][3], right, device, Kokkos::MemoryTraits<Kokkos::RandomAccess>> const constant = a;
  assign(device(), out, in(constant) * 2);
  expect_matrix(out, [](int i, int j) { return 20 * i + 2 * j; }, "static extents");
}

} // namespace
