// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/report.hpp>

#include <fusion/cases.hpp>

#include <common/run_context.hpp>
#include <common/table.hpp>

#include <algorithm>
#include <optional>
#include <sstream>

namespace fusion {

namespace {

double gb_per_s(result const& r) {
  return 1e-9 * static_cast<double>(r.bytes_read + r.bytes_written) / r.seconds.median;
}

/// Over unfused of the same case, where that ran.
std::optional<double> speedup(result const& r, std::vector<result> const& results) {
  auto const unfused = std::find_if(results.begin(), results.end(), [&](result const& other) {
    return other.case_name == r.case_name && other.name == "unfused";
  });
  if (unfused == results.end())
    return std::nullopt;
  return unfused->seconds.median / r.seconds.median;
}

} // namespace

std::string settings_text(options const& chosen) {
  return "size " + apps::count_text(chosen.size) + ", type " + chosen.type + ", ops " + std::to_string(chosen.ops) +
         ", repeat " + std::to_string(chosen.repeat) + "\n";
}

std::string report_text(std::vector<result> const& results, options const& chosen) {
  std::ostringstream text;
  for (std::string const& case_name : chosen.cases) {
    apps::table table({"variant", "kernels", "read MB", "written MB", "median ms", "min ms", "max ms", "GB/s",
                       "of copy", "speed-up", "max error"});
    std::string formula;
    for (result const& r : results) {
      if (r.case_name != case_name)
        continue;
      formula = r.formula;
      auto const faster = speedup(r, results);
      table.add({r.name, std::to_string(r.kernels), apps::significant(1e-6 * static_cast<double>(r.bytes_read)),
                 apps::significant(1e-6 * static_cast<double>(r.bytes_written)),
                 apps::significant(1e3 * r.seconds.median), apps::significant(1e3 * r.seconds.min),
                 apps::significant(1e3 * r.seconds.max), apps::significant(gb_per_s(r)),
                 apps::significant(gb_per_s(r) / r.copy_rate, 3), faster ? apps::significant(*faster, 3) + "x" : "-",
                 apps::error_text(r.max_error)});
    }
    if (!formula.empty())
      text << '\n' << case_name << ": " << formula << '\n' << table;
    if (!formula.empty() && case_name == "chain" && chosen.wants("fused") && !fused::is_written_out(chosen.ops))
      text << "fused: any other number of operations than 4, 8, 16 and 32 is a loop in the kernel, which CPU compilers "
              "don't vectorize\n";
  }
  text << '\n';
  for (std::string const type : {"double", "float"}) {
    auto const of_type = std::find_if(results.begin(), results.end(), [&](result const& r) { return r.type == type; });
    if (of_type != results.end())
      text << "copy: " << apps::significant(of_type->copy_rate)
           << " GB/s, a deep_copy of an array of this size within device memory, read and written"
           << (type == chosen.type ? "\n" : ", in " + type + "\n");
  }
  text << "kernels: as onetrip::recorder counted them, in an untimed run before the timed ones\n";
  if (chosen.wants("kernels") && chosen.wants_case("scaled_sum"))
    text << "variant kernels: Kokkos Kernels scales by 1/s instead of dividing, so that its last bits differ\n";
  if (chosen.left_out)
    text << *chosen.left_out << ": left out, it is in float only\n";
  return text.str();
}

nlohmann::ordered_json report_json(nlohmann::ordered_json context, std::vector<result> const& results,
                                   options const& chosen) {
  context["settings"] = {{"size", chosen.size},   {"type", chosen.type},         {"ops", chosen.ops},
                         {"cases", chosen.cases}, {"variants", chosen.variants}, {"repeat", chosen.repeat}};
  context["copy_gb_per_s"] = results.front().copy_rate;
  context["variants"] = nlohmann::ordered_json::array();
  for (result const& r : results) {
    auto const faster = speedup(r, results);
    context["variants"].push_back({
        {"case", r.case_name},
        {"name", r.name},
        {"type", r.type},
        {"size", chosen.size},
        {"kernels", r.kernels},
        {"bytes_read", r.bytes_read},
        {"bytes_written", r.bytes_written},
        {"seconds", apps::seconds_json(r.seconds)},
        {"gb_per_s", gb_per_s(r)},
        {"copy_share", gb_per_s(r) / r.copy_rate},
        {"speedup", faster ? nlohmann::ordered_json(*faster) : nlohmann::ordered_json(nullptr)},
        {"max_error", r.max_error},
    });
  }
  return context;
}

} // namespace fusion
