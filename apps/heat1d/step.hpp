// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/arrays.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace heat1d {

/// A functor, since nvcc keeps state of its own for a KOKKOS_LAMBDA in each file that has it: in a template that
/// several files use, one file's lambda can meet the other's.
template <class T, class Ends>
struct step_functor {
  device_array<T> u, v;
  T r;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { v(i) = Ends::next(u, i, r); }
};

/// v = u after one step: one kernel over all cells, no fence.
template <class T, class Ends>
void step(std::string const& label, device_array<T> const& u, device_array<T> const& v, T r, Ends) {
  auto const cells = static_cast<std::int64_t>(u.extent(0));
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, cells),
                       step_functor<T, Ends>{u, v, r});
}

} // namespace heat1d
