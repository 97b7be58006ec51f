// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Counts two copies and a kernel; exits with 1 where the counts are wrong.
#include <onetrip/onetrip.hpp>

#include <iostream>

struct add_one {
  Kokkos::View<double*> u;
  KOKKOS_FUNCTION void operator()(int i) const { u(i) += 1; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<double*> const u("u", 1000);
  auto const host = Kokkos::create_mirror(u);

  onetrip::recorder rec;
  rec.stand_in(u); // where host and device share memory, this View plays the device
  Kokkos::deep_copy(u, host);
  Kokkos::parallel_for("add_one", u.extent(0), add_one{u});
  Kokkos::deep_copy(host, u);

  std::cout << rec;
  bool const moved_once =
      rec.transfers(onetrip::to_device).bytes == 8000 && rec.transfers(onetrip::to_host).bytes == 8000;
  return moved_once && rec.so_far().of(onetrip::kind::kernel).count == 1 && host(999) == 1 ? 0 : 1;
}
