// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

// What Linux says of free memory; elsewhere the files aren't there and nothing is known.

namespace onetrip::detail {

inline std::optional<std::size_t> number_in(std::string const& file) {
  std::size_t number = 0;
  std::ifstream in(file);
  if (in >> number)
    return number;
  return std::nullopt; // no such file, or "max"
}

/// /proc/meminfo's MemAvailable, or less where a cgroup (version 2 or 1) leaves less. `root` is another root for tests.
inline std::optional<std::size_t> available_host_memory(std::string const& root = "") {
  std::optional<std::size_t> available;
  std::ifstream meminfo(root + "/proc/meminfo");
  for (std::string word; meminfo >> word;)
    if (std::size_t kibibytes = 0; word == "MemAvailable:" && meminfo >> kibibytes) {
      available = kibibytes * 1024;
      break;
    }
  struct {
    char const* limit;
    char const* used;
  } const cgroups[] = {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
                       {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
  for (auto const& [limit_file, used_file] : cgroups) {
    auto const limit = number_in(root + limit_file);
    auto const used = number_in(root + used_file);
    if (limit && used)
      available =
          std::min(available.value_or(std::numeric_limits<std::size_t>::max()), *limit - std::min(*limit, *used));
  }
  return available;
}

} // namespace onetrip::detail
