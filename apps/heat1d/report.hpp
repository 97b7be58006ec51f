// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/options.hpp>
#include <heat1d/run.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace heat1d {

/// The line that tells what is run.
std::string settings_text(options const& chosen, problem const& solved);

/// A table of the variants, and how to read it.
std::string report_text(std::vector<result> const& results, options const& chosen, problem const& solved);

/// The context with the settings and the results added (docs/json.md).
nlohmann::ordered_json report_json(nlohmann::ordered_json context, std::vector<result> const& results,
                                   options const& chosen, problem const& solved);

} // namespace heat1d
