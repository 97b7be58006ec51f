// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

// Compiled, or meant to fail at it; never run. See CMakeLists.txt.

void rejects() {
  onetrip::recorder rec;
  Kokkos::View<int*> const view("view", 3);
  rec.stand_in(view);
  onetrip::account const seen = rec.so_far();
  for (onetrip::record const& r : seen.records())
    (void)r;
  (void)onetrip::available_memory<Kokkos::HostSpace>();

#ifdef REJECT_records_of_a_temporary
  for (onetrip::record const& r : rec.so_far().records())
    (void)r;
#endif
#ifdef REJECT_stand_in_of_a_pointer
  rec.stand_in(view.data());
#endif
#ifdef REJECT_copy_of_a_recorder
  onetrip::recorder const copy(rec);
#endif
#ifdef REJECT_memory_of_an_execution_space
  (void)onetrip::available_memory<Kokkos::DefaultExecutionSpace>();
#endif
}
