// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/onetrip.hpp>

#include <cstddef>
#include <vector>

namespace jacobi {

/// What the functions of this solver take: rows and columns of an array that lives on the host.
using matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// An array as the old code has it.
struct field {
  std::size_t rows, columns;
  std::vector<double> values = std::vector<double>(rows * columns);

  matrix view() { return matrix(values.data(), rows, columns); }
};

} // namespace jacobi
