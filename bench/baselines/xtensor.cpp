// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "baselines/xtensor.hpp"

#if __has_include(<xtensor/containers/xadapt.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/core/xnoalias.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#endif

#include <cstddef>
#include <vector>

namespace baselines::xtensor {

namespace {

template <class T>
auto adapted(T* data, std::int64_t size) {
  auto const length = static_cast<std::size_t>(size);
  return xt::adapt(data, length, xt::no_ownership(), std::vector{length});
}

} // namespace

template <class T>
void scaled_sum(T const* a, T const* b, T const* c, T s, T* out, std::int64_t size) {
  auto const x = adapted(a, size), y = adapted(b, size), z = adapted(c, size);
  auto result = adapted(out, size);
  xt::noalias(result) = (x + y) * z / s;
}

template void scaled_sum(float const*, float const*, float const*, float, float*, std::int64_t);
template void scaled_sum(double const*, double const*, double const*, double, double*, std::int64_t);

} // namespace baselines::xtensor
