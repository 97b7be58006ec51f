// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/contents.hpp>
#include <onetrip/tool/findings_groups.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onetrip::tool {

/// What moved for nothing (DM01 to DM05, DM07) and what was allocated or initialised so (DM11, DM12): goes by what is
/// known of the contents of each range of memory that a transfer went from or to. The one place that claims transfers.
class moves {
public:
  moves(contents how, groups& into) : m_contents(how), m_groups(into) { m_elsewhere.is_known = false; }

  moves(moves const&) = delete;
  moves& operator=(moves const&) = delete;

  void before_copy(event const& e);
  void add(event const& e);

  bool is_forbidden() const { return m_reader.is_forbidden(); }

private:
  struct allocation;

  /// When something was so: nothing has changed a range of the device for as long as its own moment is the same.
  struct moment {
    std::uint64_t kernels = 0;  ///< that may have written there
    std::uint64_t writes = 0;   ///< copies and fills into it
    std::uint64_t shuffles = 0; ///< uploads of what was on the device anyway: without them it would be as before
  };

  struct upload { // the last one into a range
    bool is_there = false;
    bool is_claimed = false;
    record what;
    moment at;
    std::uint64_t reads = 0;
    std::uint64_t signs = 0;
    digest held;
  };

  struct download {         // the last one into a range
    std::uint64_t from = 0; ///< the serial number of the device's range; 0: none
    std::uint64_t bytes = 0;
    moment at;
    bool is_claimed = false;
    group* useless = nullptr; ///< where it was counted as such
    bool is_idle = false;     ///< and as what
    bool is_proven = false;
    digest held;
  };

  /// A range of memory that copies name.
  struct spot {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t serial = 0;
    allocation* in = nullptr;
    std::uint64_t writes = 0;
    std::uint64_t shuffles = 0;
    upload up;     // of the device's
    download down; // of the host's
    std::uint64_t trips = 0;
    bool is_written = false; ///< kernels changed what had been uploaded
  };

  struct allocation {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0; ///< without the header
    record what;
    bool is_known = true;   ///< Kokkos told of it, and will of its end
    bool is_device = false; ///< memory that only a device's kernels reach
    std::vector<spot*> spots;
    std::uint64_t writes = 0; ///< that had too many spots to tell which
    std::uint64_t reads = 0;  ///< copies from anywhere in it
    std::uint64_t born = 0;   ///< after so many kernels
  };

  /// A copy that is under way on a thread.
  struct pending {
    spot* host = nullptr;
    spot* device = nullptr;
    std::uint64_t drops = 0; ///< the pointers hold as long as no spot has gone
    std::uint64_t count = 0; ///< of copies between the two, this one included
    bool overwrites_fresh = false;
    digest held;
  };

  struct churn {
    std::uint64_t freed = 0; ///< after kernels, and not yet allocated again
    std::uint64_t again = 0;
  };

  using range = std::pair<std::uint64_t, std::uint64_t>;
  struct range_hash {
    std::size_t operator()(range const& r) const { return hash_of(r.first, r.second); }
  };

  allocation* find(std::uint64_t at);
  spot& spot_at(std::uint64_t begin, std::uint64_t bytes);
  void forget_spots(allocation& of);
  moment now(spot const& of) const;
  std::uint64_t kernels(allocation const& of) const;
  bool is_unused(spot const& of) const;
  void claim_dead(spot& of);
  void write(allocation& in, std::uint64_t begin, std::uint64_t bytes, bool is_whole, bool is_shuffle);
  void add_kernel(event const& e);
  void allocate(event const& e);
  void deallocate(event const& e);
  void add_copy(event const& e);
  void add_transfer(event const& e, pending& p);
  void add_upload(event const& e, pending& p);
  bool close_trip(event const& e, pending& p);
  bool repeats(event const& e, pending& p);
  void add_download(event const& e, pending& p);
  pending& of_thread(std::uint32_t thread);

  contents m_contents;
  groups& m_groups;
  memory_reader m_reader;
  std::map<std::uint64_t, allocation> m_allocations;
  allocation m_elsewhere; ///< what Kokkos didn't allocate
  std::unordered_map<range, spot, range_hash> m_spots;
  std::unordered_map<std::uint64_t, range> m_range_of;           ///< of a spot's serial number
  std::unordered_map<range, std::uint64_t, range_hash> m_copies; ///< between two spots, by serial numbers
  std::unordered_map<range, churn, range_hash> m_churn;          ///< by label and size
  std::vector<pending> m_pending;                                ///< by thread
  digest m_after;
  std::uint64_t m_last_serial = 0;
  std::uint64_t m_drops = 0;
  std::uint64_t m_host_kernels = 0;
  std::uint64_t m_device_kernels = 0;
  std::uint64_t m_signs = 0; ///< fences and downloads: maybe of work that Kokkos doesn't see, as of other libraries
  std::uint64_t m_fresh = 0; ///< the allocation that an initialisation has just filled: only that of its View
  std::uint64_t m_last_allocated = 0;
};

} // namespace onetrip::tool
