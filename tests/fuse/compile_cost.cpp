// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <utility>

// What compile_cost_test.py compiles: a chain of 60 operations, and a group of 20 outputs.

using array = Kokkos::View<double*>;

template <int Operations>
auto chain(auto const& x) {
  if constexpr (Operations == 0)
    return x;
  else
    return chain<Operations - 3>((x * 1.5 + 2.0) / 3.0);
}

void run_chain(Kokkos::DefaultExecutionSpace const& exec, array const& out, array const& x) {
  onetrip::assign(exec, out, chain<60>(onetrip::in(x)));
}

template <int... K>
void run_outputs(Kokkos::DefaultExecutionSpace const& exec, array const (&x)[20], array const& y,
                 std::integer_sequence<int, K...>) {
  onetrip::fuse(exec, "outputs", onetrip::store(x[K], onetrip::in(x[K]) * (K + 1.0) + y)...);
}

void run_outputs(Kokkos::DefaultExecutionSpace const& exec, array const (&x)[20], array const& y) {
  run_outputs(exec, x, y, std::make_integer_sequence<int, 20>());
}
