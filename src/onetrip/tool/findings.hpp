// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/event.hpp>
#include <onetrip/tool/settings.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace onetrip::tool {

/// How sure a finding is, under the assumption that the device's data change by what Kokkos reports alone.
enum class proof { advisory, likely, proven };

constexpr std::string_view to_string(proof how) {
  return how == proof::proven ? "PROVEN" : how == proof::likely ? "LIKELY" : "ADVISORY";
}

/// Work that brought nothing, or costs more than it must, and how to mend it.
struct finding {
  std::uint64_t number = 0; ///< the same for the same finding each time that it is told
  std::string_view id;      ///< "DM01" and so on, as docs/ledger.md lists them
  proof how{};
  record where;                   ///< the event that shows it: its labels, spaces and region
  std::uint64_t count = 0;        ///< events that it speaks of
  std::uint64_t bytes = 0;        ///< that they moved
  std::uint64_t count_saved = 0;  ///< events that go once it is mended
  std::uint64_t bytes_saved = 0;  ///< bytes that no longer move then. A byte counts in one finding only
  std::vector<std::string> stack; ///< where the program was, the first time that this was clear; may be empty
  std::string what;               ///< one line: what was seen
  std::string fix;                ///< one line: in terms of Kokkos, and of onetrip
};

/// Looks for them while the events come. Memory grows with the allocations alive and with the labels.
class findings {
public:
  explicit findings(contents how);
  ~findings();

  findings(findings const&) = delete;
  findings& operator=(findings const&) = delete;

  /// A copy is about to run; its data may be read. `e.what` is as it will be in `add`.
  void before_copy(event const& e);

  /// Every event, once it is complete; a copy that failed too.
  void add(event const& e);

  /// All there are so far, in the order in which they were first suspected.
  std::vector<finding> so_far() const;

  /// Why contents are not compared, in one line; empty where they are.
  std::string_view problem() const;

private:
  struct parts;
  std::unique_ptr<parts> m_parts;
};

} // namespace onetrip::tool
