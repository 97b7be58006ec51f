// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

static_assert(!onetrip::accessible_from<Kokkos::View<int*>, Kokkos::DefaultHostExecutionSpace>);

onetrip::tally uploads_of_a_step(Kokkos::View<double*> const& u) {
  onetrip::recorder rec(onetrip::watch::copies);
  auto const host = Kokkos::create_mirror_view(u);
  Kokkos::deep_copy(u, host);
  Kokkos::parallel_for("step", u.extent(0), KOKKOS_LAMBDA(std::size_t i) { u(i) *= 2; });
  (void)onetrip::available_memory();
  return rec.transfers(onetrip::to_device);
}
