// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

// A sum of OPERANDS strided Views of rank 4: 40 fit a kernel's arguments, 90 don't.

using view = Kokkos::View<float****, Kokkos::LayoutStride>;

template <int N>
auto sum_of(view const* x) {
  if constexpr (N == 1)
    return onetrip::in(*x);
  else
    return sum_of<N / 2>(x) + sum_of<N - N / 2>(x + N / 2);
}

void add(Kokkos::DefaultExecutionSpace const& exec, view const& out, view const (&x)[OPERANDS]) {
  onetrip::assign(exec, out, sum_of<OPERANDS>(x));
}
