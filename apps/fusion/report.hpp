// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fusion/options.hpp>
#include <fusion/run.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fusion {

/// The line that tells what is run.
std::string settings_text(options const& chosen);

/// A table for each case, and how to read it.
std::string report_text(std::vector<result> const& results, options const& chosen);

/// The context with the settings and the results added (docs/json.md).
nlohmann::ordered_json report_json(nlohmann::ordered_json context, std::vector<result> const& results,
                                   options const& chosen);

} // namespace fusion
