// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

// Compiled, never run.

using host = Kokkos::DefaultHostExecutionSpace;
using device = Kokkos::DefaultExecutionSpace;

static_assert(onetrip::execution_space<host> && onetrip::execution_space<device>);
static_assert(!onetrip::execution_space<Kokkos::HostSpace> && !onetrip::execution_space<int>);
static_assert(onetrip::memory_space<Kokkos::HostSpace> && onetrip::memory_space<device::memory_space>);
static_assert(!onetrip::memory_space<host> && !onetrip::memory_space<int>);
static_assert(onetrip::view_like<Kokkos::View<double>>);
static_assert(onetrip::view_like<Kokkos::View<double const* [3], Kokkos::LayoutStride, Kokkos::HostSpace>>);
static_assert(!onetrip::view_like<double*> && !onetrip::view_like<Kokkos::HostSpace>);
static_assert(onetrip::accessible_from<Kokkos::View<int*, Kokkos::HostSpace>, host>);
static_assert(onetrip::accessible_from<Kokkos::View<int*>, device>);
static_assert(!onetrip::accessible_from<int*, host>);

static_assert(ONETRIP_VERSION == ONETRIP_VERSION_MAJOR * 10000 + ONETRIP_VERSION_MINOR * 100 + ONETRIP_VERSION_PATCH);
#if ONETRIP_VERSION < 100
#error "ONETRIP_VERSION can't be compared"
#endif
