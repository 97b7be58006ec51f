// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/row.hpp"

#include <fusion/arrays.hpp>

#include <vector>

namespace bench {

/// The rows of scaled_sum on parts of the arrays and on other layouts, `layout_rank<N>_<which>`: a lambda or an
/// MDRangePolicy, as one writes it, and the expression. None where the arrays are too small to have such parts; on no
/// arrays the rows' names alone.
template <class T>
std::vector<row> layout_rows(fusion::arrays<T> const& x, std::size_t size);

} // namespace bench
