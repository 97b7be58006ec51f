// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

// One-dimensional arrays in NumPy's .npy format, by xtensor.

namespace heat1d {

/// How many values of type T a file holds, from its header and its size alone. Throws `apps::bad_input` where it is not
/// a whole .npy file of one dimension, of this type and of this machine's byte order.
template <class T>
std::size_t npy_length(std::string const& path);

/// Its values. Throws as `npy_length` does.
template <class T>
std::vector<T> read_npy(std::string const& path);

template <class T>
void write_npy(std::ostream& out, std::vector<T> const& values);

} // namespace heat1d
