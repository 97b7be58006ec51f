// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wrong.hpp"

#include <onetrip/onetrip.hpp>

// Wrong uses of fuse, in the manner of wrong.hpp. Never run.

struct point {
  double x, y;
};

void wrong_uses_of_fuse() {
  using onetrip::in, onetrip::store;
  Kokkos::DefaultExecutionSpace const exec;
  Kokkos::View<double*> const d("d", 3);
  Kokkos::View<double const*> const constant = d;
  Kokkos::View<float*> const f("f", 3);
  Kokkos::View<int*> const k("k", 3);
  Kokkos::View<bool*> const b("b", 3);
  Kokkos::View<Kokkos::complex<double>*> const z("z", 3);
  Kokkos::View<point*> const points("points", 3);
  Kokkos::View<double> const result("result");
  Kokkos::View<double const> const constant_result = result;
  Kokkos::View<float> const single_result("single_result");
  double total = 0;
  float single = 0;
  int whole = 0;

  (void)(onetrip::cast<double>(k) / in(k));
  WRONG((void)(in(k) / in(k));) // rejected: division of integers; write cast<double>
  (void)(in(k) / 2.0);
  WRONG((void)(in(k) / 2);) // rejected: division of integers; write cast<double>
  (void)onetrip::fmod(d, 2.0);
  WRONG((void)(in(d) % 2.0);) // rejected: % takes integers; for real numbers there is onetrip::fmod
  (void)onetrip::quotient(k, 2);
  WRONG((void)onetrip::quotient(d, 2.0);) // rejected: quotient: takes integers
  (void)(onetrip::cast<int>(b) + in(k));
  WRONG((void)(in(b) + in(k));) // rejected: arithmetic on bool; write cast<int>
  (void)!in(b);
  WRONG((void)-in(b);) // rejected: arithmetic on bool; write cast<int>
  (void)onetrip::where(in(k) > 0, d, 0.0);
  WRONG((void)onetrip::where(k, d, 0.0);) // rejected: where: the condition is not a bool
  (void)onetrip::both(in(k) > 0, b);
  WRONG((void)onetrip::both(k, b);) // rejected: both: a condition is not a bool
  (void)onetrip::either(in(k) > 0, b);
  WRONG((void)onetrip::either(b, k);) // rejected: either: a condition is not a bool
  (void)onetrip::cast<double>(onetrip::real(z));
  WRONG((void)onetrip::cast<double>(z);) // rejected: cast: of a complex number take real
  (void)in(d);
  WRONG((void)in(points);) // rejected: an expression takes Views of arithmetic, half or complex numbers
  (void)onetrip::index<7>();
  WRONG((void)onetrip::index<8>();) // rejected: index: a dimension is 0 to 7

  (void)store(d, in(constant) * 2.0);
  WRONG((void)store(constant, in(d) * 2.0);) // rejected: store: the output is a View of const
  (void)store(f, onetrip::cast<float>(d));
  WRONG((void)store(f, in(d));) // rejected: store: the value is of a wider type than the output; write cast<T>
  (void)store(k, onetrip::cast<int>(f));
  WRONG((void)store(k, in(f));) // rejected: store: the value is of a wider type than the output; write cast<T>
  (void)store(k, 1);
  WRONG((void)store(k, 1.5);) // rejected: store: the value is of a wider type than the output; write cast<T>
  (void)store(d, 1.0);
  WRONG((void)store(points, 1.0);) // rejected: store: the output is not a View of numbers

  (void)onetrip::sum(result, d);
  WRONG((void)onetrip::sum(d, d);) // rejected: result is a View of rank 0, or a variable of the host
  (void)onetrip::sum(total, d);
  WRONG((void)onetrip::sum(2.0, d);) // rejected: result is a View of rank 0, or a variable of the host
  (void)onetrip::max_of(result, d);
  WRONG((void)onetrip::max_of(constant_result, d);) // rejected: result is a View of const
  (void)onetrip::sum(single_result, onetrip::cast<float>(d));
  WRONG((void)onetrip::sum(single_result, d);) // rejected: result is of a narrower type than its values
  (void)onetrip::min_of(single, f);
  WRONG((void)onetrip::min_of(single, d);) // rejected: result is of a narrower type than its values
  (void)onetrip::count(whole, in(k) > 0);
  WRONG((void)onetrip::count(whole, k);) // rejected: count, any and all take conditions
  (void)onetrip::min_of(total, onetrip::abs(z));
  WRONG((void)onetrip::min_of(z, z);) // rejected: min_of and max_of take real numbers

  onetrip::fuse(exec, "control", store(d, in(d) * 2.0));

  auto const once = onetrip::let<"name">(in(d) * 2.0);
  auto const other = onetrip::let<"name">(d);
  onetrip::fuse(exec, "control", store(d, once), onetrip::sum(total, once));
  LATER(onetrip::fuse(exec, "", store(d, once), store(d, other));) // rejected: let: one name stands for two formulas
  (void)other;
}
