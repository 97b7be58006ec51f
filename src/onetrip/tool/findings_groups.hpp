// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/findings.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

// What has been seen of each finding: sums by labels, which outlive the memory that they were seen at.

namespace onetrip::tool {

enum class rule : std::uint8_t { trip, repeat, dead, useless, pageable, tiny, sync, churn, initialised, alias };

/// What one rule has seen at one pair of labels. Not all numbers are of use to all rules.
struct group {
  rule of{};
  record where;  ///< the first event
  tally seen;    ///< events that the rule speaks of whatever they held
  tally idle;    ///< with the same contents, and nothing at all ran between
  tally same;    ///< with the same contents
  tally unknown; ///< whose contents were not read, or say nothing
  tally changed;
  double changed_share = 0; ///< summed over `changed`
  std::uint64_t proven = 0; ///< of `idle` and `same`
  tally downloads_same;     ///< of trips: the downloads of those with the same contents
  tally downloads_unknown;
  tally downloads_useless;   ///< of trips: downloads that brought what the host had
  std::uint64_t swapped = 0; ///< trips that ended in other memory of the device
  std::uint64_t rounds = 0;  ///< trips that kernels ran between
  std::uint64_t last_kernels = 0;
  std::vector<void*> trace;       ///< where the program was when it was first clear
  std::vector<std::string> stack; ///< that, made readable once
};

inline void add(tally& to, std::uint64_t bytes) {
  ++to.count;
  to.bytes += bytes;
}
inline void take(tally& from, std::uint64_t bytes) {
  --from.count;
  from.bytes -= bytes;
}
inline tally operator+(tally a, tally b) { return {a.count + b.count, a.bytes + b.bytes}; }

/// What a group comes to: nothing, where its rule isn't met.
std::optional<finding> finding_of(group const& from);

inline std::size_t hash_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const sum = (a * 0x9e3779b97f4a7c15U ^ b) * 0xbf58476d1ce4e5b9U;
  return sum ^ sum >> 32;
}
inline std::uint64_t address(void const* data) { return reinterpret_cast<std::uintptr_t>(data); }

/// All groups, in the order in which they came.
class groups {
public:
  static constexpr std::size_t most = 10'000; ///< what comes after them isn't told of

  /// The group of this rule and these labels; the first event is its example.
  group& of(rule which, record const& example);

  /// This group's rule has just been met: the place that the program is at is the one to tell of.
  static void clear(group& of);

  std::vector<finding> findings();

private:
  using key = std::tuple<rule, char const*, char const*, char const*, char const*, std::size_t>;
  struct hash {
    std::size_t operator()(key const& k) const;
  };

  std::deque<group> m_groups;
  std::unordered_map<key, group*, hash> m_group_of;
  group m_rest;
};

} // namespace onetrip::tool
