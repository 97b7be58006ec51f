// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Arrays of the device's that are filled and read on the host.

#ifdef FUSE_TESTS_DEVICE_CHUNKS
// Elsewhere than on a device too, its kernels are to be tested: the same ones, run on the host.
template <>
inline constexpr bool onetrip::detail::runs_on_host<Kokkos::DefaultExecutionSpace> = false;
#endif

namespace fuse_tests {

using device = Kokkos::DefaultExecutionSpace;
using device_memory = device::memory_space;

template <class T>
using array = Kokkos::View<T*, device>;
template <class T>
using scalar = Kokkos::View<T, device>;

/// Sizes about which something may change: none, one, the ends of a chunk, many chunks.
inline std::vector<std::size_t> sizes() { return {0, 1, 2, 3, 255, 256, 257, 1'000'003}; }

template <class T>
void set(array<T> const& to, std::vector<T> const& values) {
  auto const host = Kokkos::create_mirror_view(to);
  for (std::size_t i = 0; i < values.size(); ++i)
    host(i) = values[i];
  Kokkos::deep_copy(to, host);
}

template <class T>
array<T> make(std::vector<T> const& values, std::string const& label = "array") {
  array<T> const made(label, values.size());
  set(made, values);
  return made;
}

/// `f(i)` for each i.
template <class T, class F>
std::vector<T> filled(std::size_t n, F const& f) {
  std::vector<T> made(n);
  for (std::size_t i = 0; i < n; ++i)
    made[i] = static_cast<T>(f(i));
  return made;
}

template <class T>
std::vector<T> values_of(array<T> const& from) {
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), from);
  std::vector<T> made(from.extent(0));
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = host(i);
  return made;
}

template <class T>
scalar<T> make_scalar(T value, std::string const& label = "scalar") {
  scalar<T> const made(label);
  Kokkos::deep_copy(made, value);
  return made;
}

template <class T>
T value_of(scalar<T> const& from) {
  T value;
  Kokkos::deep_copy(value, from);
  return value;
}

/// Small integers without a pattern that a wrong index could meet.
inline int scrambled(std::size_t i) { return static_cast<int>((i * 2654435761u >> 7) % 17) - 8; }

} // namespace fuse_tests
