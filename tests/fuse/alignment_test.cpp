// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "fuse/arrays.hpp"

// Operands that begin at any element of an aligned array, as subviews do.

namespace {

using namespace fuse_tests;
using onetrip::assign;
using onetrip::in;

/// Every pair of misalignments by an element, and sizes about those at which a row ends within a chunk.
template <class T>
void expect_any_alignment() {
  std::size_t const n = 70;
  array<T> const memory("memory", 3 * n);
  auto const values = filled<T>(3 * n, scrambled);
  for (std::size_t shift_out = 0; shift_out < 17; ++shift_out)
    for (std::size_t shift_in = 0; shift_in < 17; shift_in += 1 + shift_out % 2)
      for (std::size_t const size : {std::size_t{1}, std::size_t{15}, std::size_t{33}, n - 17 - shift_out}) {
        set(memory, values);
        auto const out = Kokkos::subview(memory, std::pair(shift_out, shift_out + size));
        auto const a = Kokkos::subview(memory, std::pair(n + shift_in, n + shift_in + size));
        auto const b = Kokkos::subview(memory, std::pair(2 * n, 2 * n + size));
        assign(device(), out, in(a) + b);
        auto expected = values;
        for (std::size_t i = 0; i < size; ++i)
          expected[shift_out + i] = static_cast<T>(values[n + shift_in + i] + values[2 * n + i]);
        ASSERT_EQ(values_of(memory), expected) << shift_out << ", " << shift_in << ", " << size;
      }
}

TEST(alignment, of_any_operand_is_any) {
  expect_any_alignment<float>();
  expect_any_alignment<std::int8_t>();
  expect_any_alignment<double>();
}

} // namespace
