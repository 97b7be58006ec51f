// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "field.hpp"

#include <functional>

namespace jacobi {

/// Takes `steps` steps from u. Every `interval` steps `output` gets the step's number, the state, and how much the step
/// changed it.
void solve(field& u, field& f, int steps, int interval,
           std::function<void(int, std::vector<double> const&, double)> const& output);

} // namespace jacobi
