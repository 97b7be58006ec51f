// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/label_pool.hpp>
#include <onetrip/ledger/record.hpp>

#include <cstddef>
#include <iomanip>
#include <map>
#include <memory>
#include <ostream>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace onetrip {

/// A list of events with the totals that a test asserts on. A value: copy and keep it. Costs nothing on the device.
class account {
public:
  account() = default;
  account(std::vector<record> records, std::shared_ptr<detail::label_pool const> labels)
      : m_records(std::move(records)), m_labels(std::move(labels)) {}

  /// Every event, in the order of its begin; as long as the account itself lives.
  std::span<record const> records() const& { return m_records; }
  void records() const&& = delete; // would dangle in `for (auto& r : rec.so_far().records())`

  /// Transfers one way; their bytes moved.
  tally transfers(direction where) const {
    return total([=](record const& r) { return r.what == kind::transfer && r.where == where; });
  }

  /// Events of one kind; bytes moved, or for fills, aliases and allocations the bytes asked.
  tally of(kind what) const {
    return total([=](record const& r) { return r.what == what; });
  }

  /// Events that `condition(record)` holds for.
  template <class Condition>
  tally total(Condition condition) const {
    tally sum;
    for (record const& r : m_records)
      if (condition(r)) {
        ++sum.count;
        sum.bytes += counted_bytes(r);
      }
    return sum;
  }

  /// A readable list: equal events are one line, in the order they first came.
  friend std::ostream& operator<<(std::ostream& out, account const& self) {
    self.print(out);
    return out;
  }

private:
  void print(std::ostream& out) const;

  std::vector<record> m_records;
  std::shared_ptr<detail::label_pool const> m_labels; // what the records' texts point into
};

inline std::ostream& operator<<(std::ostream& out, tally const& sum) {
  return out << sum.count << " events, " << sum.bytes << " bytes";
}

inline void account::print(std::ostream& out) const {
  struct line {
    record const* first;
    std::size_t count = 0;
    std::size_t bytes = 0;
  };
  auto key = [](record const& r) {
    return std::tie(r.what, r.where, r.upper_bound, r.label, r.source, r.space, r.source_space, r.region);
  };
  std::vector<line> lines;
  std::map<decltype(key(record{})), std::size_t> line_of;
  for (record const& r : m_records) {
    auto const [found, is_new] = line_of.try_emplace(key(r), lines.size());
    if (is_new)
      lines.push_back({&r});
    line& entry = lines[found->second];
    ++entry.count;
    entry.bytes += counted_bytes(r);
  }
  for (line const& l : lines) {
    record const& r = *l.first;
    out << std::setw(8) << l.count << "  " << to_string(r.what);
    if (r.where != direction::none)
      out << ' ' << to_string(r.where);
    out << " \"" << r.label << '"';
    if (!r.source_space.empty())
      out << " (" << r.space << ") from \"" << r.source << "\" (" << r.source_space << ')';
    else if (!r.space.empty())
      out << " (" << r.space << ')';
    if (l.bytes != 0)
      out << ", " << (r.upper_bound ? "at most " : "") << l.bytes << " bytes";
    if (!r.region.empty())
      out << ", in " << r.region;
    out << '\n';
  }
  out << "Not seen here, since Kokkos reports none of it: headers of device Views, large functors, reductions into "
         "host values, kernels in graphs, resize and realloc, copies by other libraries, page migration.\n";
}

} // namespace onetrip
