// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace onetrip::detail {

/// How messages name a View.
inline std::string label_text(std::string const& label) {
  return label.empty() ? "a View without a label" : "'" + label + "'";
}

} // namespace onetrip::detail
