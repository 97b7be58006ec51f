// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What docs/mpi.md shows: a rod of ten points a rank, hot in the middle of the first rank's part.
#include <onetrip/mpi/marcher.hpp>

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <cstdio>

// clang-format off: short functions on one line
struct heat {
  double r;
  KOKKOS_FUNCTION double operator()(double left, double centre, double right) const {
    return Kokkos::fma(r, Kokkos::fma(-2.0, centre, left + right), centre);
  }
};
// clang-format on

void cool(MPI_Comm comm, Kokkos::DefaultExecutionSpace const& exec, Kokkos::View<double*> const& part) {
  onetrip::mpi::marcher m(comm, exec, part.extent(0), heat{0.25}, onetrip::insulated_ends{});
  m(part, 100'000);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::printf("rank %d: halo %lld, %lld messages, %lld bytes\n", rank, static_cast<long long>(m.tuning().halo),
              static_cast<long long>(m.sent().messages), static_cast<long long>(m.sent().bytes));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    Kokkos::DefaultExecutionSpace const exec;
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Kokkos::View<double*> const part("part", 10);
    if (rank == 0)
      Kokkos::deep_copy(Kokkos::subview(part, 5), 10.0 * ranks);
    cool(MPI_COMM_WORLD, exec, part);
    double first = 0;
    Kokkos::deep_copy(first, Kokkos::subview(part, 0));
    std::printf("rank %d: %.6f\n", rank, first); // all heat has spread: 1 at each point
  }
  MPI_Finalize();
}
