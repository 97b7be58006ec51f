// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The tool and a recorder watch the same programs in one process: they must count the same.

#include <fusion/cases.hpp>
#include <heat1d/boundary.hpp>
#include <heat1d/mirror.hpp>
#include <heat1d/region.hpp>
#include <heat1d/resident.hpp>

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <unistd.h>

namespace {

using nlohmann::json;
using onetrip::kind;
using totals = std::map<std::tuple<std::string, std::string>, std::tuple<std::uint64_t, std::uint64_t>>;

void count(totals& into, std::string_view what, std::string_view where, std::uint64_t count, std::uint64_t bytes) {
  auto& [all, all_bytes] = into[{std::string(what), std::string(where)}];
  all += count;
  all_bytes += bytes;
}

template <class Variant>
void run_heat1d(onetrip::recorder& rec) {
  Variant variant(1001);
  if constexpr (requires { variant.device_u; }) {
    rec.stand_in(variant.device_u);
    rec.stand_in(variant.device_v);
  }
  Kokkos::deep_copy(variant.u, 1.0);
  Kokkos::Profiling::pushRegion("solve");
  variant.run(10, 0.25, heat1d::periodic_ends{});
  Kokkos::Profiling::popRegion();
}

void run_fusion() {
  auto const x = fusion::make_arrays<double>(1001, true);
  for (auto const& v : fusion::scaled_sum_variants(x))
    v.run();
  for (auto const& v : fusion::norm_variants(x)) {
    v.run();
    (void)Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, x.result);
  }
}

TEST(agreement, of_the_tool_and_a_recorder_is_exact) {
  std::string const file = std::filesystem::temp_directory_path() / ("onetrip-agreement-" + std::to_string(getpid()));
  setenv("KOKKOS_TOOLS_LIBS", ONETRIP_LEDGER_LIBRARY, 1);
  setenv("ONETRIP_LEDGER",
         ("json=" + file + ",summary=none,device=heat1d::*::device_*,device=onetrip::region::device_copy").c_str(), 1);
  Kokkos::initialize();
  totals recorded;
  {
    onetrip::recorder rec;
    run_heat1d<heat1d::mirror<double>>(rec);
    run_heat1d<heat1d::resident<double>>(rec);
    run_heat1d<heat1d::region<double>>(rec);
    run_fusion();
    auto const seen = rec.so_far();
    for (onetrip::record const& r : seen.records())
      count(recorded, to_string(r.what), to_string(r.where), 1, counted_bytes(r));
  }
  Kokkos::finalize();

  std::map<int, json> rows, counts;
  std::ifstream in(file);
  for (std::string text; std::getline(in, text);) {
    json const line = json::parse(text);
    if (line.at("type") == "row")
      rows[line.at("row")] = line;
    if (line.at("type") == "counts")
      for (json const& row : line.at("rows"))
        counts[row.at(0)] = row;
  }
  std::filesystem::remove(file);
  totals told;
  for (auto const& [number, row] : counts)
    count(told, rows[number].at("kind").get<std::string>(), rows[number].at("direction").get<std::string>(), row.at(1),
          row.at(2));

  EXPECT_EQ((recorded[{"transfer", "to device"}]), (std::tuple{22, 22 * 8008}));
  // What Kokkos does by itself where it starts and ends, the recorder doesn't see.
  for (kind const outside : {kind::fence, kind::own_fence, kind::tool_fence, kind::allocation, kind::deallocation}) {
    std::tuple const key{std::string(to_string(outside)), std::string()};
    EXPECT_GE(told[key], recorded[key]) << to_string(outside);
    told.erase(key);
    recorded.erase(key);
  }
  EXPECT_EQ(told, recorded);
}

} // namespace
