// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/own_work.hpp>
#include <onetrip/ledger/record.hpp>

#include <cstddef>
#include <cstdint>
#include <ostream>

namespace onetrip::ledger {

/// Counts what the library's own calls do in this process while it lives: a recorder that sees nothing else, costs
/// nothing and needs no callback. Scopes nest, on any thread.
///
///     onetrip::ledger::scope const done;
///     solve();
///     EXPECT_EQ(done.transfers(onetrip::to_device).bytes, budget);
class scope {
public:
  scope() : m_before(now()) {}
  scope(scope const&) = delete;
  scope& operator=(scope const&) = delete;

  /// Kernels that the library started: those of fuse and march, and regions' packs, unpacks and poisons.
  std::size_t kernels() const { return now().kernels - m_before.kernels; }

  /// Transfers `to_device` or `to_host`, and their exact bytes: of a packed one, the elements'. Where memory is shared,
  /// a copy that has memory of its own counts the same.
  tally transfers(direction where) const {
    counts const seen = now();
    tally sum;
    if (where == to_device)
      sum = {seen.to_device.count - m_before.to_device.count, seen.to_device.bytes - m_before.to_device.bytes};
    if (where == to_host)
      sum = {seen.to_host.count - m_before.to_host.count, seen.to_host.bytes - m_before.to_host.bytes};
    return sum;
  }

  /// Transfers that clauses asked for and that weren't made, since the View was present, shares its memory with the
  /// device, or was never written there.
  std::size_t elided() const { return now().elided - m_before.elided; }

  friend std::ostream& operator<<(std::ostream& out, scope const& self) {
    tally const in = self.transfers(to_device), back = self.transfers(to_host);
    return out << "onetrip: " << in.count << " transfers to device (" << in.bytes << " bytes), " << back.count
               << " to host (" << back.bytes << " bytes), " << self.elided() << " elided, " << self.kernels()
               << " kernels\n";
  }

private:
  struct counts {
    std::size_t kernels = 0;
    tally to_device, to_host;
    std::size_t elided = 0;
  };

  static counts now() {
    detail::own_work const& done = detail::work_done();
    return {done.kernels, {done.uploads, done.uploaded_bytes}, {done.downloads, done.downloaded_bytes}, done.elided};
  }

  counts m_before;
};

} // namespace onetrip::ledger
