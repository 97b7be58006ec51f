// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace onetrip::tool {

/// Where this thread is: the addresses of its frames, innermost first. A few microseconds.
std::vector<void*> call_stack();

/// A line for each frame that is the program's own: "heat1d::mirror::run(...)", or "heat1d(+0x1a2b)" where the program
/// has no symbols. Frames of this tool and of Kokkos are left out.
std::vector<std::string> symbolised(std::vector<void*> const& frames);

} // namespace onetrip::tool
