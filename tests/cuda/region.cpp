// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

// Regions of each sort, on arrays with and without gaps.

using onetrip::copy;
using host_array = Kokkos::View<double*, Kokkos::HostSpace>;
using host_cube = Kokkos::View<float***, Kokkos::LayoutLeft, Kokkos::HostSpace>;

void step(Kokkos::DefaultExecutionSpace const& exec, host_array const& u,
          Kokkos::View<double const*, Kokkos::HostSpace> const& f) {
  onetrip::region const data(exec, copy(u), onetrip::copyin(f));
  auto const to = data.device(u);
  auto const from = onetrip::device_ro(exec, f);
  Kokkos::parallel_for("step", Kokkos::RangePolicy<>(exec, 0, u.extent(0)), KOKKOS_LAMBDA(int i) { to(i) += from(i); });
}

void steps(host_array& u, host_array& v, host_cube const& w) {
  Kokkos::DefaultExecutionSpace const exec;
  onetrip::region data(exec, onetrip::alias::distinct, copy(u), onetrip::create(v), onetrip::if_present(w));
  step(exec, u, v);
  onetrip::swap(u, v);
  onetrip::enter_data(exec, onetrip::copyin(w));
  onetrip::update_host(exec, Kokkos::subview(w, 1, Kokkos::ALL, Kokkos::ALL));
  onetrip::host_rw(exec, w)(0, 0, 0) = 1;
  onetrip::exit_data(exec, onetrip::copyout(w));
  data.close();
}

// Managed memory has no copy; pinned memory has one.
using managed = Kokkos::View<double*, Kokkos::SharedSpace>;
using pinned = Kokkos::View<double*, Kokkos::SharedHostPinnedSpace>;
static_assert(onetrip::detail::shares_memory<managed, Kokkos::DefaultExecutionSpace>);
static_assert(!onetrip::detail::shares_memory<pinned, Kokkos::DefaultExecutionSpace>);
static_assert(!onetrip::detail::shares_memory<host_array, Kokkos::DefaultExecutionSpace>);

void of_other_memory(managed const& u, pinned const& v) {
  onetrip::region const data(Kokkos::DefaultExecutionSpace(), copy(u), copy(v));
  (void)data.device(u);
}
