// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "baselines/eigen.hpp"

#include <Eigen/Core>

#include <algorithm>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace baselines::eigen {

namespace {

template <class T>
using mapped = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using mapped_input = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1> const>;

/// Calls `body(begin, length)` for a segment of each thread.
template <class Body>
void for_each_segment(std::int64_t size, Body const& body) {
#ifdef _OPENMP
#pragma omp parallel
  {
    std::int64_t const threads = omp_get_num_threads();
    std::int64_t const even = (size + threads - 1) / threads;
    std::int64_t const length = (even + 15) / 16 * 16; // whole cache lines
    std::int64_t const begin = std::min(size, omp_get_thread_num() * length);
    body(begin, std::min(length, size - begin));
  }
#else
  body(0, size);
#endif
}

template <int Ops, class Expression, class T>
auto affine(Expression const& x, T factor, T offset) {
  if constexpr (Ops == 1)
    return x * factor + offset;
  else
    return affine<Ops - 1>(x, factor, offset) * factor + offset;
}

} // namespace

template <class T>
void scaled_sum(T const* a, T const* b, T const* c, T s, T* out, std::int64_t size) {
  for_each_segment(size, [=](std::int64_t begin, std::int64_t length) {
    mapped_input<T> const x(a + begin, length), y(b + begin, length), z(c + begin, length);
    mapped<T>(out + begin, length) = (x + y) * z / s;
  });
}

template <class T>
void chain(T const* a, T factor, T offset, T* out, std::int64_t size) {
  for_each_segment(size, [=](std::int64_t begin, std::int64_t length) {
    mapped<T>(out + begin, length) = affine<32>(mapped_input<T>(a + begin, length), factor, offset);
  });
}

template void scaled_sum(float const*, float const*, float const*, float, float*, std::int64_t);
template void scaled_sum(double const*, double const*, double const*, double, double*, std::int64_t);
template void chain(float const*, float, float, float*, std::int64_t);
template void chain(double const*, double, double, double*, std::int64_t);

} // namespace baselines::eigen
