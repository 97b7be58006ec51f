// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/report.hpp>

#include <heat1d/arrays.hpp>
#include <heat1d/text.hpp>

#include <common/run_context.hpp>
#include <common/table.hpp>

#include <Kokkos_Core.hpp>

#include <optional>
#include <sstream>
#include <type_traits>

namespace heat1d {

namespace {

using json = nlohmann::ordered_json;

std::string megabytes(onetrip::tally const& t) { return apps::significant(1e-6 * static_cast<double>(t.bytes)); }

/// What a time means, where there was a step.
struct rates {
  double us_per_step;
  double gcell_per_s;
  std::optional<double> speedup; ///< over mirror, where that ran
};

std::optional<rates> rates_of(result const& found, std::vector<result> const& results, options const& chosen,
                              problem const& solved) {
  if (chosen.steps == 0)
    return std::nullopt;
  double const seconds = found.seconds.median;
  auto const steps = static_cast<double>(chosen.steps);
  rates rate{1e6 * seconds / steps, 1e-9 * static_cast<double>(solved.cells) * steps / seconds, {}};
  if (results.front().name == "mirror")
    rate.speedup = results.front().seconds.median / seconds;
  return rate;
}

} // namespace

std::string settings_text(options const& chosen, problem const& solved) {
  std::string text = "cells " + apps::count_text(solved.cells) + ", steps " +
                     apps::count_text(static_cast<std::size_t>(chosen.steps)) + ", r " + shortest(solved.r);
  if (!chosen.r)
    text += " (alpha " + shortest(chosen.alpha) + ", dx " + shortest(chosen.dx) + ", dt " + shortest(chosen.dt) + ")";
  return text + ", boundary " + chosen.boundary + ", initial " + chosen.initial + ", type " + chosen.type +
         ", repeat " + std::to_string(chosen.repeat) + "\n";
}

std::string report_text(std::vector<result> const& results, options const& chosen, problem const& solved) {
  apps::table table({"variant", "to device", "MB", "to host", "MB", "median ms", "min ms", "max ms", "us/step",
                     "GCell/s", "speed-up", "from serial", "from exact"});
  for (result const& found : results) {
    auto const rate = rates_of(found, results, chosen, solved);
    table.add({found.name, std::to_string(found.to_device.count), megabytes(found.to_device),
               std::to_string(found.to_host.count), megabytes(found.to_host),
               apps::significant(1e3 * found.seconds.median), apps::significant(1e3 * found.seconds.min),
               apps::significant(1e3 * found.seconds.max), rate ? apps::significant(rate->us_per_step) : "-",
               rate ? apps::significant(rate->gcell_per_s) : "-",
               rate && rate->speedup ? apps::significant(*rate->speedup, 3) + "x" : "-",
               apps::error_text(found.difference_from_serial),
               found.error_from_exact ? apps::error_text(*found.error_from_exact) : "-"});
  }
  std::ostringstream text;
  text << '\n'
       << table
       << "\nto device, to host: transfers as onetrip::recorder saw them, in an untimed run before the timed ones\n";
  if constexpr (std::is_same_v<device_array<double>::memory_space, Kokkos::HostSpace>)
    text << "host and device share one memory here: arrays of their own stand in for the device's\n";
  return text.str();
}

json report_json(json context, std::vector<result> const& results, options const& chosen, problem const& solved) {
  auto const unless_r = [&](double value) { return chosen.r ? json() : json(value); };
  context["settings"] = {
      {"cells", solved.cells},           {"steps", chosen.steps},     {"r", solved.r},
      {"alpha", unless_r(chosen.alpha)}, {"dx", unless_r(chosen.dx)}, {"dt", unless_r(chosen.dt)},
      {"boundary", chosen.boundary},     {"initial", chosen.initial}, {"type", chosen.type},
      {"variants", chosen.variants},     {"repeat", chosen.repeat},
  };
  context["variants"] = json::array();
  for (result const& found : results) {
    auto const rate = rates_of(found, results, chosen, solved);
    auto const tally = [](onetrip::tally const& t) { return json{{"count", t.count}, {"bytes", t.bytes}}; };
    context["variants"].push_back({
        {"name", found.name},
        {"cells", solved.cells},
        {"steps", chosen.steps},
        {"transfers", {{"to_device", tally(found.to_device)}, {"to_host", tally(found.to_host)}}},
        {"seconds", apps::seconds_json(found.seconds)},
        {"us_per_step", rate ? json(rate->us_per_step) : json()},
        {"gcell_per_s", rate ? json(rate->gcell_per_s) : json()},
        {"speedup", rate && rate->speedup ? json(*rate->speedup) : json()},
        {"difference_from_serial", found.difference_from_serial},
        {"error_from_exact", found.error_from_exact ? json(*found.error_from_exact) : json()},
    });
  }
  return context;
}

} // namespace heat1d
