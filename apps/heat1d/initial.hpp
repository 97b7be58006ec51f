// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/boundary.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace heat1d {

/// The lowest mode that the ends allow: `mode()`.
struct sine {};

/// 1 from cell floor(n/3) up to, not including, n - floor(n/3); 0 elsewhere.
struct hat {};

/// In [-1, 1), the same on every machine: splitmix64.
struct random_values {
  std::uint64_t seed;
};

/// A .npy file.
struct from_file {
  std::string path;
};

/// How the first state comes about.
using initial = std::variant<sine, hat, random_values, from_file>;

/// "sine", "hat", "random:SEED" or "FILE.npy". Throws `apps::bad_input`.
initial initial_named(std::string const& text);

/// The first state. Throws `apps::bad_input` where a file's values are not finite, or so large that a step overflows.
template <class T>
std::vector<T> first_state(initial const& how, std::size_t cells, boundary const& ends);

} // namespace heat1d
