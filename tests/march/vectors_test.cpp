// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Compiled for a machine without wide vectors, as packages are: a pass takes those that this machine has, and each sort
// gives the bits of a serial loop.

namespace {

using detail_vectors = onetrip::detail::vectors;
using exec_space = Kokkos::DefaultHostExecutionSpace;

template <class T>
struct heat {
  T r;
  T operator()(T left, T centre, T right) const { return std::fma(r, std::fma(T(-2), centre, left + right), centre); }
};

template <class T>
std::vector<T> start() {
  std::vector<T> made(10'007);
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<T>(i * 2654435761u % 1000) / 1000;
  return made;
}

template <class T>
std::vector<T> stepped(std::vector<T> u, int steps) {
  std::vector<T> v = u;
  for (int s = 0; s < steps; ++s) {
    for (std::size_t i = 1; i + 1 < u.size(); ++i)
      v[i] = heat<T>{T(0.3)}(u[i - 1], u[i], u[i + 1]);
    std::swap(u, v);
  }
  return u;
}

template <class T>
std::vector<T> passed(std::vector<T> const& u, int depth, detail_vectors width) {
  using namespace onetrip::detail;
  exec_space const exec;
  auto const points = static_cast<std::int64_t>(u.size());
  host_cut const cut = make_cut<T, onetrip::fixed_ends>(exec, points, {.lane_points = 64, .depth = depth});
  EXPECT_FALSE(cut.whole);
  std::vector<T> scratch(static_cast<std::size_t>(cut.scratch<T>())), v(u.size());
  using work = host_work<T, heat<T>, onetrip::fixed_ends>;
  host_kernel<work> const kernel{
      {{u.data(), v.data(), points, 0, depth, heat<T>{T(0.3)}, {}}, cut, scratch.data(), cut.scratch_of_item<T>()},
      width};
  for (std::int64_t w = 0; w < cut.items; ++w)
    kernel(w);
  return v;
}

template <class T>
void has_the_same_bits_by_every_width() {
  auto const widest = onetrip::detail::widest_vectors();
  for (auto const width : {detail_vectors::as_compiled, detail_vectors::avx2, detail_vectors::avx512}) {
    if (width > widest)
      break;
    for (int const depth : {1, 4, 7, 32})
      EXPECT_EQ(passed(start<T>(), depth, width), stepped(start<T>(), depth))
          << "width " << static_cast<int>(width) << ", depth " << depth;
  }
}

TEST(march_vectors, have_the_same_bits_by_every_width) {
  has_the_same_bits_by_every_width<float>();
  has_the_same_bits_by_every_width<double>();
}

TEST(march_vectors, are_those_of_this_machine) {
#if defined(ONETRIP_MARCH_VECTORS)
  auto const has = [](bool avx512, bool avx2) {
    return avx512 ? detail_vectors::avx512 : avx2 ? detail_vectors::avx2 : detail_vectors::as_compiled;
  };
  EXPECT_EQ(onetrip::detail::widest_vectors(),
            has(__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw"),
                __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
#else
  GTEST_SKIP() << "one version, as compiled";
#endif
}

} // namespace
