// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace heat1d {

template <class T>
using host_array = Kokkos::View<T*, Kokkos::HostSpace>;

/// In the device's memory; where host and device share one memory, an allocation of its own all the same.
template <class T>
using device_array = Kokkos::View<T*>;

} // namespace heat1d
