// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "field.hpp"

namespace jacobi {

/// The largest difference between u and v.
double change(matrix const& u, matrix const& v);

} // namespace jacobi
