// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/process_state.hpp>

#include <atomic>
#include <cstdint>

// What the library's own calls have done in this process so far. `ledger::scope` takes differences.

namespace onetrip::detail {

struct [[gnu::visibility("default")]] own_work {
  std::atomic<std::uint64_t> kernels{0};
  std::atomic<std::uint64_t> uploads{0}, uploaded_bytes{0};
  std::atomic<std::uint64_t> downloads{0}, downloaded_bytes{0};
  std::atomic<std::uint64_t> elided{0};

  static void add(std::atomic<std::uint64_t>& count, std::uint64_t more = 1) {
    count.fetch_add(more, std::memory_order_relaxed);
  }
};

inline own_work& work_done() { return process_state<own_work>(); }

/// For each kernel that the library starts.
inline void count_kernel() { own_work::add(work_done().kernels); }

inline void count_upload(std::uint64_t bytes) {
  own_work::add(work_done().uploads);
  own_work::add(work_done().uploaded_bytes, bytes);
}

inline void count_download(std::uint64_t bytes) {
  own_work::add(work_done().downloads);
  own_work::add(work_done().downloaded_bytes, bytes);
}

/// For each transfer that a region didn't make, since its View was present.
inline void count_elided(std::uint64_t transfers) { own_work::add(work_done().elided, transfers); }

} // namespace onetrip::detail
