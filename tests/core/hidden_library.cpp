// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include "core/hidden_library.hpp"

// Built twice with hidden visibility: HIDDEN_LIBRARY is the namespace of each.

namespace HIDDEN_LIBRARY {

__attribute__((visibility("default"))) void copy(Kokkos::View<int*> const& to,
                                                 Kokkos::View<int*, Kokkos::HostSpace> const& from) {
  Kokkos::deep_copy(to, from);
}

__attribute__((visibility("default"))) std::size_t uploads_seen(Kokkos::View<int*> const& to, void (*work)()) {
  onetrip::recorder rec(onetrip::watch::copies);
  rec.stand_in(to);
  work();
  return rec.transfers(onetrip::to_device).count;
}

__attribute__((visibility("default"))) void const* hooks() { return &onetrip::detail::hooks(); }

__attribute__((visibility("default"))) void const* table() {
  return &onetrip::detail::residency<Kokkos::DefaultExecutionSpace>::table();
}

__attribute__((visibility("default"))) void fail() { throw onetrip::not_observing("thrown by a library"); }

} // namespace HIDDEN_LIBRARY
