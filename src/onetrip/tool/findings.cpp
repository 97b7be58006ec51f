// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/findings.hpp>

namespace onetrip::tool {

void findings::before_copy(event const&) {}

void findings::add(event const&) {}

std::vector<finding> findings::so_far() const { return {}; }

} // namespace onetrip::tool
