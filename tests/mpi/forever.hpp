// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

namespace mpi_tests {

/// A marcher over all ranks, whatever its type.
std::shared_ptr<void> marcher_of_all();

/// Marches until a rank, which kills itself, has ended all.
void march_until_killed();

} // namespace mpi_tests
