// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/detail/mpi_communicator.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <mpi.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "mpi/forever.hpp"

namespace {

/// What making a communicator of MPI_COMM_WORLD says.
std::string refusal() {
  try {
    onetrip::detail::communicator const made(MPI_COMM_WORLD);
  } catch (onetrip::error const& error) {
    return error.what();
  }
  return "nothing";
}

bool says(std::string_view expected) {
  bool const right = refusal() == expected;
  if (!right)
    std::printf("says '%s', not '%s'\n", refusal().c_str(), std::string(expected).c_str());
  return right;
}

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  bool right = says("onetrip::mpi: MPI is not initialized; call MPI_Init before");
  MPI_Init(&argc, &argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  auto const last = mpi_tests::marcher_of_all();
  if (argc > 1 && std::string_view(argv[1]) == "--kill")
    mpi_tests::march_until_killed();
  int const failed = RUN_ALL_TESTS();
  MPI_Finalize();
  right = says("onetrip::mpi: MPI is finalized already") && right;
  return failed != 0 || !right ? 1 : 0; // the marcher ends after MPI
}
