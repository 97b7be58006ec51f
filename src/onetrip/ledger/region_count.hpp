// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/ledger/record.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace onetrip {

/// What regions did with the Views of one label in this process so far.
struct region_count {
  std::string label;
  tally to_device, to_host;
  std::size_t elided = 0;          ///< transfers not made, since the View was present
  std::size_t unheeded = 0;        ///< inner clauses that would have copied back, where an outer one decides
  std::size_t abandoned_bytes = 0; ///< not copied back, since an exception was under way
};

inline std::ostream& operator<<(std::ostream& out, std::vector<region_count> const& counts) {
  for (region_count const& c : counts) {
    out << '\'' << c.label << "': " << c.to_device.count << " to device (" << c.to_device.bytes << " bytes), "
        << c.to_host.count << " to host (" << c.to_host.bytes << " bytes), " << c.elided << " elided";
    if (c.unheeded != 0)
      out << ", " << c.unheeded << " inner copies back had no effect";
    if (c.abandoned_bytes != 0)
      out << ", " << c.abandoned_bytes << " bytes abandoned";
    out << '\n';
  }
  return out;
}

} // namespace onetrip
