// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/onetrip.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

// Rules that no compiler can contract in two ways, ends, and a serial loop over them.

namespace march_tests {

using device = Kokkos::DefaultExecutionSpace;

template <class T>
using array = Kokkos::View<T*, device>;

template <class T>
struct heat {
  T r;

  KOKKOS_FUNCTION T operator()(T left, T centre, T right) const {
    return Kokkos::fma(r, Kokkos::fma(T(-2), centre, left + right), centre);
  }
};

/// Burgers where the wave runs to the right, else a jump.
template <class T>
struct jump {
  KOKKOS_FUNCTION T operator()(T left, T centre, T right) const {
    if (left > right)
      return Kokkos::fma(T(-0.05), Kokkos::fma(right, right, -(left * left)), centre);
    return left < T(-0.5) ? (left + right) * T(0.5) : centre;
  }
};

/// A coefficient at each point, and what depends on the place and the time.
template <class T>
struct placed {
  Kokkos::View<T const*, Kokkos::AnonymousSpace> coefficient;

  KOKKOS_FUNCTION T operator()(T left, T centre, T right, std::int64_t i, std::int64_t step) const {
    return Kokkos::fma(coefficient(i), Kokkos::fma(T(-2), centre, left + right), centre) + T((i + 3 * step) & 7);
  }
};

template <class T>
struct wave {
  KOKKOS_FUNCTION T operator()(onetrip::end where, std::int64_t step) const {
    return where == onetrip::end::left ? T(step % 11) / 8 : T(-(step % 7)) / 4;
  }
};

template <class T, class Rule>
T value(Rule const& rule, T left, T centre, T right, std::int64_t i, std::int64_t step) {
  if constexpr (std::is_invocable_v<Rule const&, T, T, T>)
    return rule(left, centre, right);
  else
    return rule(left, centre, right, i, step);
}

/// A serial loop.
template <class T, class Rule, class Ends>
std::vector<T> expected(std::vector<T> u, std::int64_t steps, Rule const& rule, Ends const& ends,
                        std::int64_t first_step = 0) {
  auto const n = static_cast<std::int64_t>(u.size());
  std::vector<T> next(u.size());
  auto const at = [&](std::int64_t i) { return u[static_cast<std::size_t>(i)]; };
  for (std::int64_t step = first_step; step < first_step + steps; ++step) {
    for (std::int64_t i = 0; i < n; ++i) {
      bool const periodic = std::is_same_v<Ends, onetrip::periodic_ends>;
      T const left = i > 0 ? at(i - 1) : periodic ? at(n - 1) : at(i);
      T const right = i < n - 1 ? at(i + 1) : periodic ? at(0) : at(i);
      T& to = next[static_cast<std::size_t>(i)];
      to = value(rule, left, at(i), right, i, step);
      if constexpr (std::is_same_v<Ends, onetrip::fixed_ends>) {
        if (i == 0 || i == n - 1)
          to = at(i);
      } else if constexpr (std::is_same_v<Ends, onetrip::driven_ends<wave<T>>>) {
        if (i == n - 1)
          to = ends.value(onetrip::end::right, step);
        if (i == 0)
          to = ends.value(onetrip::end::left, step);
      }
    }
    std::swap(u, next);
  }
  return u;
}

template <class T>
void upload(std::vector<T> const& from, array<T> const& to) {
  Kokkos::deep_copy(to, Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(from.data(), from.size()));
}

template <class T>
std::vector<T> download(array<T> const& from) {
  std::vector<T> to(from.size());
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(to.data(), to.size()), from);
  return to;
}

/// `start` after the steps of a marcher.
template <class T, class Rule, class Ends>
std::vector<T> marched(std::vector<T> const& start, std::int64_t steps, Rule const& rule, Ends const& ends,
                       onetrip::march_tuning const& tuning, std::int64_t first_step = 0) {
  array<T> const u("u", start.size());
  upload(start, u);
  onetrip::marcher<device, Rule, Ends, T> m(device(), start.size(), rule, ends, tuning);
  m(u, steps, first_step);
  device().fence();
  return download(u);
}

/// Points whose bits differ; one NaN is as good as another.
template <class T>
std::size_t differences(std::vector<T> const& a, std::vector<T> const& b) {
  std::size_t count = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    bool const nan = a[i] != a[i] && b[i] != b[i];
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bit by bit, as said
    count += !nan && std::memcmp(&a[i], &b[i], sizeof(T)) != 0 ? 1 : 0;
  }
  return count;
}

} // namespace march_tests
