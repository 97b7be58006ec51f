// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/ledger/record.hpp>

#include <cstdint>

namespace onetrip::tool {

/// One event of the program, as every part of the tool gets it. Equal texts of records have equal addresses.
struct event {
  record what;
  double begin = 0;           ///< seconds since the tool's start; of a copy: once the wait before it was over
  double end = 0;             ///< of a kernel without time=fenced: the end of its launch
  void const* data = nullptr; ///< of a copy: its destination; of an allocation: what Kokkos allocated, the header
  void const* source_data = nullptr; ///< of a copy
  std::uint32_t thread = 0;          ///< host threads are numbered as they come
  bool waits = false;                ///< of a copy: the host waited for its end, so that its data may be read
};

} // namespace onetrip::tool
