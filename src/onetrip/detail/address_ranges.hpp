// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace onetrip::detail {

/// Ranges of addresses, none of which overlap as long as memory is freed before it is handed out again. One that would
/// pass the last address ends there.
class address_ranges {
public:
  /// Replaces a range that begins at the same address.
  void assign(void const* data, std::size_t bytes) {
    m_ranges.insert_or_assign(address(data), end_of(data, bytes) - address(data));
  }

  /// Adds a range as one with those that it overlaps, so that each address lies in one at most.
  void merge(void const* data, std::size_t bytes) {
    if (bytes == 0)
      return;
    std::uintptr_t begin = address(data);
    std::uintptr_t end = end_of(data, bytes);
    auto next = m_ranges.upper_bound(begin);
    if (next != m_ranges.begin() && std::prev(next)->first + std::prev(next)->second > begin)
      --next;
    while (next != m_ranges.end() && next->first < end) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->first + next->second);
      next = m_ranges.erase(next);
    }
    m_ranges.emplace(begin, end - begin);
  }

  /// Removes the range that begins at this address.
  void erase(void const* data) { m_ranges.erase(address(data)); }

  /// Removes the ranges that begin within this one.
  void erase(void const* data, std::size_t bytes) {
    m_ranges.erase(m_ranges.lower_bound(address(data)), m_ranges.lower_bound(end_of(data, bytes)));
  }

  bool holds(void const* data) const {
    auto const next = m_ranges.upper_bound(address(data));
    if (next == m_ranges.begin())
      return false;
    auto const& [begin, bytes] = *std::prev(next);
    return address(data) - begin < bytes;
  }

private:
  static std::uintptr_t address(void const* data) { return reinterpret_cast<std::uintptr_t>(data); }

  static std::uintptr_t end_of(void const* data, std::size_t bytes) {
    return address(data) + std::min<std::uintptr_t>(bytes, UINTPTR_MAX - address(data));
  }

  std::map<std::uintptr_t, std::size_t> m_ranges;
};

} // namespace onetrip::detail
