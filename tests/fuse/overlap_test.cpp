// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/detail/overlap.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <random>
#include <string>

// Against brute force: a bit for every byte.

namespace {

using onetrip::detail::byte_set;
using onetrip::detail::meeting;
using onetrip::detail::overlap;
using onetrip::detail::overlaps_itself;

constexpr int origin = 4096; // of the bits: bases and strides may be negative
using bytes = std::bitset<2 * origin>;

/// The bytes of a set; `twice` says whether two of its elements share one.
bytes bytes_of(byte_set const& set, bool* twice = nullptr) {
  bytes found;
  if (twice != nullptr)
    *twice = false;
  if (set.empty())
    return found;
  std::array<std::int64_t, 8> index{};
  for (;;) {
    std::int64_t at = origin + set.base;
    for (int k = 0; k < set.rank; ++k)
      at += index[k] * set.stride[k];
    for (int b = 0; b < set.element; ++b) {
      if (twice != nullptr && found[at + b])
        *twice = true;
      found.set(at + b);
    }
    int k = set.rank;
    while (k > 0 && ++index[k - 1] == set.extent[k - 1])
      index[--k] = 0;
    if (k == 0)
      return found;
  }
}

class random_sets {
public:
  explicit random_sets(unsigned seed) : m_engine(seed) {}

  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_engine); }

  /// Of up to 6^3 elements, no further than 4 * 5 * 24 + 100 bytes from the origin: strides of any sign, and 0.
  byte_set any() {
    byte_set set{number(-50, 50), std::array{1, 2, 4, 8}[number(0, 3)], number(1, 3), {}, {}};
    // Most arrays have strides of whole elements; with some, bytes interleave.
    int const unit = number(0, 3) == 0 ? 1 : static_cast<int>(set.element);
    for (int k = 0; k < set.rank; ++k) {
      set.extent[k] = number(0, 30) == 0 ? 0 : number(1, 6);
      set.stride[k] = unit * number(-24, 24) / std::array{1, 1, 4}[number(0, 2)];
    }
    return set;
  }

  /// A box of every `step`th of a parent with 2 or 3 elements in each of `rank` dimensions, these permuted.
  byte_set box_of_parent(int rank) {
    byte_set set{0, 2, rank, {}, {}};
    std::int64_t stride = 2;
    for (int k = 0; k < rank; ++k) {
      int const extent = k % 3 == 0 ? 3 : 2;
      int const first = number(0, extent - 1);
      set.extent[k] = number(1, extent - first);
      set.stride[k] = stride;
      set.base += first * stride;
      if (first == 0 && extent == 3 && number(0, 1) == 0) {
        set.extent[k] = 2;
        set.stride[k] *= 2;
      }
      stride *= extent;
    }
    for (int k = rank - 1; k > 0; --k) {
      int const j = number(0, k);
      std::swap(set.extent[k], set.extent[j]);
      std::swap(set.stride[k], set.stride[j]);
    }
    return set;
  }

private:
  std::mt19937 m_engine;
};

std::string text_of(byte_set const& set) {
  std::string text = "base " + std::to_string(set.base) + ", element " + std::to_string(set.element);
  for (int k = 0; k < set.rank; ++k)
    text += ", " + std::to_string(set.extent[k]) + " x " + std::to_string(set.stride[k]);
  return text;
}

meeting expected(bool meet) { return meet ? meeting::some : meeting::none; }

TEST(overlap, is_exact_on_random_pairs) {
  random_sets make(1);
  int meetings = 0, close = 0;
  int const pairs = 100'000;
  for (int i = 0; i < pairs; ++i) {
    byte_set const a = make.any(), b = make.any();
    bool const meet = (bytes_of(a) & bytes_of(b)).any();
    ASSERT_EQ(overlap(a, b), expected(meet)) << "pair " << i << ": " << text_of(a) << " and " << text_of(b);
    ASSERT_EQ(overlap(b, a), expected(meet)) << "pair " << i << ": " << text_of(b) << " and " << text_of(a);
    meetings += meet;
    close += !meet && !a.empty() && !b.empty() && a.range()[0] < b.range()[1] && b.range()[0] < a.range()[1];
  }
  EXPECT_GT(meetings, pairs / 10); // the sample has every sort of pair
  EXPECT_GT(close, pairs / 10);
}

TEST(overlap, with_itself_is_exact_on_random_sets) {
  random_sets make(2);
  int meetings = 0;
  int const sets = 50'000;
  for (int i = 0; i < sets; ++i) {
    byte_set const a = make.any();
    bool twice = false;
    bytes_of(a, &twice);
    ASSERT_EQ(overlaps_itself(a), expected(twice)) << "set " << i << ": " << text_of(a);
    meetings += twice;
  }
  EXPECT_GT(meetings, sets / 10);
  EXPECT_LT(meetings, sets * 9 / 10);
}

TEST(overlap, is_exact_for_boxes_of_one_parent_up_to_rank_8) {
  random_sets make(3);
  std::array<int, 2> seen{};
  for (int rank = 1; rank <= 8; ++rank)
    for (int i = 0; i < 500; ++i) {
      byte_set const a = make.box_of_parent(rank), b = make.box_of_parent(rank);
      bool const meet = (bytes_of(a) & bytes_of(b)).any();
      ASSERT_EQ(overlap(a, b), expected(meet))
          << "rank " << rank << ", pair " << i << ": " << text_of(a) << " and " << text_of(b);
      ASSERT_EQ(overlaps_itself(a), meeting::none) << text_of(a);
      ++seen[meet];
    }
  EXPECT_GT(seen[0], 400);
  EXPECT_GT(seen[1], 400);
}

TEST(overlap, ends_with_its_budget_and_never_answers_wrong) {
  random_sets make(4);
  int given_up = 0;
  for (int i = 0; i < 10'000; ++i) {
    byte_set const a = make.any(), b = make.any();
    long const budget = make.number(0, 6);
    meeting const found = overlap(a, b, budget);
    given_up += found == meeting::not_known;
    if (found != meeting::not_known) {
      ASSERT_EQ(found, overlap(a, b)) << "pair " << i << ", budget " << budget << ": " << text_of(a) << " and "
                                      << text_of(b);
    }
  }
  EXPECT_GT(given_up, 500);
}

TEST(overlap, is_right_past_2_to_the_32) {
  std::int64_t const far = std::int64_t{1} << 40;
  byte_set const even{0, 8, 1, {far}, {16}};
  EXPECT_EQ(overlap(even, {8, 8, 1, {far}, {16}}), meeting::none);
  EXPECT_EQ(overlap(even, {9, 8, 1, {far}, {16}}), meeting::some);
  EXPECT_EQ(overlap(even, {16 * (far - 1) + 8, 8, 0, {}, {}}), meeting::none);
  EXPECT_EQ(overlap(even, {16 * (far - 1) + 7, 8, 0, {}, {}}), meeting::some);
  EXPECT_EQ(overlaps_itself({0, 8, 2, {far, 2}, {8, 8 * far - 8}}), meeting::some);
  EXPECT_EQ(overlaps_itself({0, 8, 2, {far, 2}, {8, 8 * far}}), meeting::none);
}

} // namespace
