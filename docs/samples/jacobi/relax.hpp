// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "field.hpp"

namespace jacobi {

/// v = a Jacobi step from u for the source f; edges keep their values.
void relax(matrix const& u, matrix const& f, matrix const& v);

} // namespace jacobi
