// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What every consumer builds and runs.
#include <onetrip/onetrip.hpp>

#include <iostream>
#include <string_view>

#if ONETRIP_VERSION < 100 || ONETRIP_VERSION_MAJOR > 99
#error "#if can't compare ONETRIP_VERSION"
#endif
static_assert(ONETRIP_VERSION == ONETRIP_VERSION_MAJOR * 10000 + ONETRIP_VERSION_MINOR * 100 + ONETRIP_VERSION_PATCH);
static_assert(std::string_view(ONETRIP_VERSION_STRING) == EXPECTED_VERSION, "the header is not the package's");
static_assert(__cplusplus >= 202002L, "the target onetrip::onetrip did not bring C++20");

struct add_index {
  Kokkos::View<int*> a;
  KOKKOS_FUNCTION void operator()(int i) const { a(i) += i; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<int*> const a("a", 100);
  auto const host = Kokkos::create_mirror(a);

  onetrip::recorder rec;
  rec.stand_in(a);
  Kokkos::parallel_for("add_index", a.extent(0), add_index{a});
  Kokkos::deep_copy(host, a);

  bool const right = host(99) == 99 && rec.so_far().of(onetrip::kind::kernel).count == 1 &&
                     rec.transfers(onetrip::to_host).bytes == 400;
  std::cout << "onetrip " ONETRIP_VERSION_STRING ": " << (right ? "right" : "wrong") << '\n' << rec;
  return right ? 0 : 1;
}
