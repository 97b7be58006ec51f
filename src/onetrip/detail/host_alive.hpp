// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/mapped_view.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define ONETRIP_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONETRIP_ADDRESS_SANITIZER
#endif
#endif
#ifdef ONETRIP_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

// Whether the host's memory is still there when a region writes to it: only the address sanitizer knows.

namespace onetrip::detail {

inline bool is_alive([[maybe_unused]] mapped_view const& view) {
  bool alive = true;
#ifdef ONETRIP_ADDRESS_SANITIZER
  byte_runs const runs = view.runs();
  runs.for_each(
      [&](std::size_t offset) { alive = alive && __asan_region_is_poisoned(view.data + offset, runs.run) == nullptr; });
#endif
  return alive;
}

} // namespace onetrip::detail
