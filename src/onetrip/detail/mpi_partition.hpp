// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Who has which points of an array that is spread over ranks, and whose points a halo is made of. Nothing of MPI.

namespace onetrip::detail {

/// A rank's part with its halos: points that the array has, or that are beside it again where it is periodic.
struct extended_part {
  std::int64_t first;  ///< index in the whole array; below 0 where a periodic array's end comes before its begin
  std::int64_t own;    ///< points of the halo before the part
  std::int64_t points; ///< of all three
};

/// Neighbouring points of a halo that one rank owns.
struct halo_piece {
  int owner;
  std::int64_t from;   ///< the first, counted in the owner's part
  std::int64_t to;     ///< the same, counted in the extended part that it is for
  std::int64_t points; ///< how many
};

/// A whole array as the ranks' parts, in the ranks' order.
class partition {
public:
  partition(std::vector<std::int64_t> const& sizes, bool periodic) : m_ends(sizes.size()), m_periodic(periodic) {
    std::int64_t end = 0;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      m_ends[r] = end += sizes[r];
      m_largest = std::max(m_largest, sizes[r]);
    }
  }

  int ranks() const { return static_cast<int>(m_ends.size()); }
  std::int64_t points() const { return m_ends.back(); }
  std::int64_t begin(int rank) const { return rank == 0 ? 0 : end(rank - 1); }
  std::int64_t end(int rank) const { return m_ends[static_cast<std::size_t>(rank)]; }
  std::int64_t size(int rank) const { return end(rank) - begin(rank); }
  std::int64_t largest() const { return m_largest; }

  /// Whether one rank has everything, so that there is nothing to exchange.
  bool in_one_part() const { return m_largest == points(); }

  extended_part extended(int rank, std::int64_t halo) const {
    if (size(rank) == 0)
      return {begin(rank), 0, 0};
    if (in_one_part())
      return {0, 0, points()};
    std::int64_t const first = begin(rank) - halo;
    std::int64_t const last = end(rank) + halo;
    std::int64_t const from = m_periodic ? first : std::max<std::int64_t>(first, 0);
    std::int64_t const to = m_periodic ? last : std::min(last, points());
    return {from, begin(rank) - from, to - from};
  }

  /// What a rank's halos are made of, from left to right: of as many parts as it takes.
  std::vector<halo_piece> pieces(int rank, std::int64_t halo) const {
    extended_part const part = extended(rank, halo);
    std::vector<halo_piece> found;
    add_pieces(found, part, 0, part.own);
    add_pieces(found, part, part.own + size(rank), part.points);
    return found;
  }

private:
  /// Those of the extended part's points from `at` to `stop`.
  void add_pieces(std::vector<halo_piece>& found, extended_part const& part, std::int64_t at, std::int64_t stop) const {
    while (at < stop) {
      std::int64_t const i = (part.first + at + points()) % points();
      auto const owner = static_cast<int>(std::upper_bound(m_ends.begin(), m_ends.end(), i) - m_ends.begin());
      std::int64_t const count = std::min(stop - at, end(owner) - i);
      found.push_back({owner, i - begin(owner), at, count});
      at += count;
    }
  }

  std::vector<std::int64_t> m_ends;
  std::int64_t m_largest = 0;
  bool m_periodic;
};

} // namespace onetrip::detail
