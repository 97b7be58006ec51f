// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/run_context.hpp>

#include <git_state.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <ctime>
#include <fstream>

#include <unistd.h>

namespace apps {

namespace {

/// Raised when a member changes its meaning or goes.
constexpr int schema_version = 1;

std::string date() {
  std::time_t const now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::string host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string device() {
#if defined(KOKKOS_ENABLE_CUDA)
  return Kokkos::Cuda().cuda_device_prop().name;
#elif defined(KOKKOS_ENABLE_HIP)
  return Kokkos::HIP().hip_device_prop().name;
#else
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (auto const colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
      return line.substr(colon + 2);
  return "unknown";
#endif
}

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

} // namespace

nlohmann::ordered_json run_context(std::string const& program) {
  return {
      {"schema", schema_version},
      {"program", program},
      {"version", ONETRIP_VERSION_STRING},
      {"git", git_state},
      {"date", date()},
      {"host", host()},
      {"kokkos", {{"version", kokkos_version()}, {"backend", Kokkos::DefaultExecutionSpace::name()}}},
      {"device", device()},
      {"threads", Kokkos::DefaultExecutionSpace().concurrency()},
  };
}

nlohmann::ordered_json seconds_json(spread const& seconds) {
  return {{"min", seconds.min}, {"median", seconds.median}, {"max", seconds.max}};
}

std::string heading(nlohmann::ordered_json const& context) {
  auto const text = [](nlohmann::ordered_json const& value) { return value.get<std::string>(); };
  return text(context["program"]) + " " + text(context["version"]) + " (" + text(context["git"]) + "), Kokkos " +
         text(context["kokkos"]["version"]) + " " + text(context["kokkos"]["backend"]) + "\n" +
         text(context["device"]) + ", threads: " + std::to_string(context["threads"].get<int>()) + "\n";
}

} // namespace apps
