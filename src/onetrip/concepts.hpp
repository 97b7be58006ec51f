// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace onetrip {

/// A Kokkos execution space, such as `Kokkos::DefaultExecutionSpace`.
template <class T>
concept execution_space = Kokkos::is_execution_space_v<T>;

/// A Kokkos memory space, such as `Kokkos::HostSpace`.
template <class T>
concept memory_space = Kokkos::is_memory_space_v<T>;

/// A `Kokkos::View` of any value type, rank, layout, space and traits.
template <class T>
concept view_like = Kokkos::is_view_v<T>;

/// A View whose elements code that runs on `ExecutionSpace` can read.
template <class View, class ExecutionSpace>
concept accessible_from =
    view_like<View> && execution_space<ExecutionSpace> &&
    static_cast<bool>(Kokkos::SpaceAccessibility<ExecutionSpace, typename View::memory_space>::accessible);

} // namespace onetrip
