// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/findings_groups.hpp>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace onetrip::tool {

/// What recurs, whatever the contents: many small transfers (DM08), fences in loops (DM09), copies of aliases (DM15).
class habits {
public:
  explicit habits(groups& into) : m_groups(into) {}

  void add(event const& e);

private:
  /// Small transfers one way on one thread, with no kernel between.
  struct run {
    direction where = direction::none;
    std::uint64_t kernels = 0;
    tally so_far;
    record first;
  };

  /// A fence that comes again: where the work between is the same each time, in whatever order, it is in a loop.
  struct loop {
    std::uint64_t work = 0; ///< sums when it last came
    std::uint64_t kernels = 0;
    std::uint64_t cycle = 0; ///< the work between the last two
    std::uint64_t rounds = 0;
  };

  struct pair_hash {
    std::size_t operator()(std::array<std::uint64_t, 2> const& k) const { return hash_of(k[0], k[1]); }
  };
  template <class T>
  using by_pair = std::unordered_map<std::array<std::uint64_t, 2>, T, pair_hash>;

  void add_transfer(event const& e);
  void add_fence(event const& e);
  void add_alias(event const& e);

  groups& m_groups;
  std::uint64_t m_kernels = 0;
  std::uint64_t m_work = 0;         ///< a sum over labels: equal work gives equal differences
  std::vector<run> m_runs;          ///< by thread
  by_pair<loop> m_loops;            ///< by label and region
  by_pair<std::uint64_t> m_aliases; ///< by address and label
};

} // namespace onetrip::tool
