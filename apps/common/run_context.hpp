// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/timing.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace apps {

/// Where a result came from: the members that the JSON of every program starts with (docs/json.md). The program adds
/// its settings and variants. Needs an initialized Kokkos.
nlohmann::ordered_json run_context(std::string const& program);

/// The member `seconds` of a variant.
nlohmann::ordered_json seconds_json(spread const& seconds);

/// The context for people: the program's first lines.
std::string heading(nlohmann::ordered_json const& context);

} // namespace apps
