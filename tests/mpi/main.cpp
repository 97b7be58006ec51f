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

bool says(std::string_view expected, auto const& call) {
  try {
    call();
  } catch (onetrip::error const& error) {
    if (error.what() == expected)
      return true;
    std::printf("says '%s', ", error.what());
  }
  std::printf("not '%s'\n", std::string(expected).c_str());
  return false;
}

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  auto const make = [] { onetrip::detail::communicator const made(MPI_COMM_WORLD); };
  bool right = says("onetrip::mpi: MPI is not initialized; call MPI_Init before", make);
  MPI_Init(&argc, &argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  auto const last = mpi_tests::marcher_of_all();
  onetrip::detail::communicator const comm(MPI_COMM_WORLD);
  if (argc > 1 && std::string_view(argv[1]) == "--kill")
    mpi_tests::march_until_killed();
  int const failed = RUN_ALL_TESTS();
  MPI_Finalize();
  for (bool const ok : {says("onetrip::mpi: MPI is finalized already", make),
                        says("onetrip::mpi: MPI is finalized already", [&comm] { comm.agree(nullptr, {}); })})
    right = right && ok;
  return failed != 0 || !right ? 1 : 0; // the marcher ends after MPI
}
