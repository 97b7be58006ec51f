// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

// What Linux says of free memory; elsewhere the files aren't there and nothing is known.

namespace onetrip::detail {

/// The number that a file holds; nothing where there is no such file, or it says "max".
inline std::optional<std::size_t> number_in(std::filesystem::path const& file) {
  std::size_t number = 0;
  std::ifstream in(file);
  if (in >> number)
    return number;
  return std::nullopt;
}

/// The number after a word in a file.
inline std::optional<std::size_t> number_after(std::string const& name, std::filesystem::path const& file) {
  std::ifstream in(file);
  std::size_t number = 0;
  for (std::string word; in >> word;)
    if (word == name && in >> number)
      return number;
  return std::nullopt;
}

/// The names that one version of memory cgroups gives its files.
struct cgroup_files {
  char const* folder;
  char const* limit;
  char const* used;
  char const* cache; ///< in memory.stat: used as a cache of files, and given up where memory is short
};

inline constexpr cgroup_files cgroup_version_1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                               "total_inactive_file"};
inline constexpr cgroup_files cgroup_version_2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

/// What a memory cgroup and those that hold it leave.
inline std::size_t left_by_cgroup(std::filesystem::path const& root, cgroup_files const& files,
                                  std::filesystem::path group) {
  std::size_t left = std::numeric_limits<std::size_t>::max();
  for (bool more = true; more; group = group.parent_path()) {
    more = group.has_relative_path();
    std::filesystem::path const folder = root / files.folder / group.relative_path();
    auto const limit = number_in(folder / files.limit);
    auto const used = number_in(folder / files.used);
    if (!limit || !used)
      continue;
    std::size_t const needed = *used - std::min(*used, number_after(files.cache, folder / "memory.stat").value_or(0));
    left = std::min(left, *limit - std::min(*limit, needed));
  }
  return left;
}

/// /proc/meminfo's MemAvailable, or less where the process's memory cgroup leaves less. `root` is another root for
/// tests.
inline std::optional<std::size_t> available_host_memory(std::filesystem::path const& root = "/") {
  auto const kibibytes = number_after("MemAvailable:", root / "proc/meminfo");
  if (!kibibytes)
    return std::nullopt;
  std::size_t available = *kibibytes * 1024;
  std::ifstream groups(root / "proc/self/cgroup"); // lines such as "0::/user.slice" and "9:cpu,memory:/job_7"
  for (std::string line; std::getline(groups, line);) {
    auto const first = line.find(':');
    auto const second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos)
      continue;
    std::string const controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    std::string const group = line.substr(second + 1);
    if (controllers == ",,")
      available = std::min(available, left_by_cgroup(root, cgroup_version_2, group));
    else if (controllers.find(",memory,") != controllers.npos)
      available = std::min(available, left_by_cgroup(root, cgroup_version_1, group));
  }
  return available;
}

} // namespace onetrip::detail
