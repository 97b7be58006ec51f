// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/picture.hpp>
#include <onetrip/tool/process.hpp>
#include <onetrip/tool/settings.hpp>

#include <string>

namespace onetrip::tool {

/// Some ten lines that tell what the program moved, and what it need not have moved.
std::string summary(picture const& last, settings const& chosen, process const& self);

} // namespace onetrip::tool
