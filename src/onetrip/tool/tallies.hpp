// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/event.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace onetrip::tool {

/// Events of one sort: alike in all but their number, time and size.
struct row {
  record what; ///< of the first; its bytes say nothing of the others
  std::uint64_t count = 0;
  std::uint64_t bytes = 0; ///< moved, or for fills, aliases and allocations asked
  double seconds = 0;      ///< in them; 0 where their time isn't known
  bool is_written = true;  ///< the JSON Lines hold these numbers
};

/// The account: totals by sort of event, so that memory grows with the labels and not with the events.
class tallies {
public:
  /// More sorts than this are counted in one row for each kind, with the label "(others)".
  static constexpr std::size_t most_rows = 100'000;

  /// Counts the event in its row.
  void add(event const& e);

  /// The time of an event that has been counted.
  void add_time(event const& e) {
    row& r = row_of(e.what);
    r.seconds += e.end - e.begin;
    r.is_written = false;
  }

  /// In the order in which they first came.
  std::deque<row>& rows() { return m_rows; }
  std::deque<row> const& rows() const { return m_rows; }

private:
  row& row_of(record const& r);

  struct hash {
    std::size_t operator()(record const& r) const;
  };
  struct same {
    bool operator()(record const& a, record const& b) const;
  };

  std::deque<row> m_rows;
  std::unordered_map<record, row*, hash, same> m_row_of;
};

} // namespace onetrip::tool
