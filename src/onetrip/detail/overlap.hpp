// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>

// Whether two strided sets of bytes meet, exactly. The sets meet where
//   sum c_k t_k + p = rhs,   0 <= t_k < n_k,   |p| < element size
// has a solution: a bounded search over t, largest coefficient first, cut by the range and the gcd of what is left.

namespace onetrip::detail {

inline constexpr int max_rank = 8;

/// Sorts the first `count`, which are few: std::sort has more in it than that needs, and makes g++ 14 warn.
template <class Array, class Less>
void sort_few(Array& a, int count, Less less) {
  for (int k = 1; k < count; ++k)
    std::rotate(std::upper_bound(a.begin(), a.begin() + k, a[k], less), a.begin() + k, a.begin() + k + 1);
}

/// The bytes of a strided array: `extent[k]` positions `stride[k]` bytes apart in each dimension, from `base` on.
struct byte_set {
  std::int64_t base = 0;
  std::int64_t element = 0; ///< bytes
  int rank = 0;
  std::array<std::int64_t, max_rank> extent{};
  std::array<std::int64_t, max_rank> stride{};

  bool empty() const { return std::find(extent.begin(), extent.begin() + rank, 0) != extent.begin() + rank; }

  /// The first byte, and one past the last. Of a set that is not empty.
  std::array<std::int64_t, 2> range() const {
    std::int64_t low = base, high = base + element;
    for (int k = 0; k < rank; ++k) {
      std::int64_t const reach = (extent[k] - 1) * stride[k];
      (reach < 0 ? low : high) += reach;
    }
    return {low, high};
  }
};

enum class meeting { none, some, not_known };

class overlap_search {
public:
  /// `budget`: nodes of the search before it gives up.
  overlap_search(byte_set const& a, byte_set const& b, long budget) : m_budget(budget) {
    std::int64_t rhs = b.base - a.base;
    auto const add = [&](std::int64_t coefficient, std::int64_t extent) {
      if (extent < 2 || coefficient == 0)
        return;
      if (coefficient < 0) { // t counts from the other end
        rhs -= coefficient * (extent - 1);
        coefficient = -coefficient;
      }
      m_term[m_count++] = {coefficient, extent};
    };
    for (int k = 0; k < a.rank; ++k)
      add(a.stride[k], a.extent[k]);
    for (int k = 0; k < b.rank; ++k)
      add(-b.stride[k], b.extent[k]);
    sort_few(m_term, m_count, [](term const& x, term const& y) { return x.coefficient > y.coefficient; });
    merge_equal_coefficients();
    for (int k = m_count; k-- > 0;) {
      m_reach[k] = m_reach[k + 1] + m_term[k].coefficient * (m_term[k].extent - 1);
      m_gcd[k] = std::gcd(m_gcd[k + 1], m_term[k].coefficient);
    }
    m_low = rhs - (a.element - 1);
    m_high = rhs + (b.element - 1);
  }

  meeting run() {
    bool const found = search(0, m_low, m_high);
    return m_budget < 0 ? meeting::not_known : found ? meeting::some : meeting::none;
  }

private:
  struct term {
    std::int64_t coefficient, extent;
  };

  void merge_equal_coefficients() {
    int merged = 0;
    for (int k = 0; k < m_count; ++k) {
      if (merged > 0 && m_term[merged - 1].coefficient == m_term[k].coefficient)
        m_term[merged - 1].extent += m_term[k].extent - 1;
      else
        m_term[merged++] = m_term[k];
    }
    m_count = merged;
  }

  /// Whether terms `k` on can add up to something from `low` to `high`; also true where the budget ends.
  bool search(int k, std::int64_t low, std::int64_t high) {
    if (--m_budget < 0)
      return true;
    if (high < 0 || low > m_reach[k])
      return false;
    if (k == m_count)
      return true;
    std::int64_t const least = low <= 0 ? 0 : (low + m_gcd[k] - 1) / m_gcd[k] * m_gcd[k]; // a multiple of the gcd
    if (least > high || least > m_reach[k])
      return false;
    auto const [coefficient, extent] = m_term[k];
    std::int64_t const short_of = low - m_reach[k + 1];
    std::int64_t const first = short_of > 0 ? (short_of + coefficient - 1) / coefficient : 0;
    std::int64_t const last = std::min(extent - 1, high / coefficient);
    for (std::int64_t t = first; t <= last; ++t)
      if (search(k + 1, low - t * coefficient, high - t * coefficient))
        return true;
    return false;
  }

  std::array<term, 2 * max_rank> m_term{};
  std::array<std::int64_t, 2 * max_rank + 1> m_reach{}, m_gcd{};
  int m_count = 0;
  std::int64_t m_low = 0, m_high = 0;
  long m_budget;
};

inline constexpr long overlap_budget = 100'000;

/// Whether the two have a byte in common.
inline meeting overlap(byte_set const& a, byte_set const& b, long budget = overlap_budget) {
  if (a.empty() || b.empty())
    return meeting::none;
  auto const [a_low, a_high] = a.range();
  auto const [b_low, b_high] = b.range();
  if (a_high <= b_low || b_high <= a_low)
    return meeting::none;
  return overlap_search(a, b, budget).run();
}

/// Whether two elements of the array share a byte.
inline meeting overlaps_itself(byte_set const& a, long budget = overlap_budget) {
  if (a.empty())
    return meeting::none;
  // Ordinary arrays: each stride steps over all that the smaller ones reach.
  std::array<int, max_rank> order{};
  std::iota(order.begin(), order.begin() + a.rank, 0);
  sort_few(order, a.rank, [&](int x, int y) { return std::abs(a.stride[x]) < std::abs(a.stride[y]); });
  std::int64_t reach = a.element;
  bool nested = true;
  for (int k = 0; k < a.rank && nested; ++k) {
    if (a.extent[order[k]] < 2)
      continue;
    std::int64_t const stride = std::abs(a.stride[order[k]]);
    nested = stride >= reach;
    reach += stride * (a.extent[order[k]] - 1);
  }
  if (nested)
    return meeting::none;
  // Two elements differ first in dimension k, where one is further by 1 to extent - 1.
  for (int k = 0; k < a.rank; ++k) {
    byte_set near{a.base, a.element, 0, {}, {}};
    for (int j = k + 1; j < a.rank; ++j) {
      near.extent[near.rank] = a.extent[j];
      near.stride[near.rank++] = a.stride[j];
    }
    byte_set far = near;
    far.base += a.stride[k];
    far.extent[far.rank] = a.extent[k] - 1;
    far.stride[far.rank++] = a.stride[k];
    if (meeting const found = overlap(near, far, budget); found != meeting::none)
      return found;
  }
  return meeting::none;
}

} // namespace onetrip::detail
