// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

TEST(error, is_a_runtime_error_with_its_kinds_below) {
  static_assert(std::is_base_of_v<std::runtime_error, onetrip::error>);
  static_assert(std::is_base_of_v<onetrip::error, onetrip::not_observing>);
  EXPECT_STREQ(onetrip::not_observing("what and where").what(), "what and where");
}

TEST(memory, available_is_known_for_host_and_device) {
  auto const device = onetrip::available_memory<Kokkos::DefaultExecutionSpace::memory_space>();
  auto const host = onetrip::available_memory<Kokkos::HostSpace>();
  ASSERT_TRUE(device && host);
  EXPECT_GT(*device, std::size_t{1} << 20);
  EXPECT_GT(*host, std::size_t{1} << 20);
}

/// A root folder of its own with the files that Linux would show.
class system_files {
public:
  system_files() {
    std::string name = testing::TempDir() + "onetrip_XXXXXX";
    m_root = mkdtemp(name.data());
  }
  ~system_files() { std::filesystem::remove_all(m_root); }

  void write(std::string const& name, std::string const& text) const {
    std::filesystem::create_directories(std::filesystem::path(m_root + name).parent_path());
    std::ofstream(m_root + name) << text;
  }
  std::optional<std::size_t> available() const { return onetrip::detail::available_host_memory(m_root); }

private:
  std::string m_root;
};

TEST(memory, is_what_the_system_calls_available) {
  system_files const files;
  EXPECT_EQ(files.available(), std::nullopt);
  files.write("/proc/meminfo",
              "MemTotal:       8000 kB\nMemFree:        10 kB\nMemAvailable:   4000 kB\nBuffers: 1 kB\n");
  EXPECT_EQ(files.available(), 4000u * 1024);
}

TEST(memory, is_what_the_cgroup_and_its_parents_leave) {
  system_files const files;
  files.write("/proc/meminfo", "MemAvailable:   4000 kB\n");
  files.write("/proc/self/cgroup", "0::/slurm/job_7\n");
  files.write("/sys/fs/cgroup/slurm/job_7/memory.max", "max\n");
  files.write("/sys/fs/cgroup/slurm/job_7/memory.current", "5000\n");
  EXPECT_EQ(files.available(), 4000u * 1024);
  files.write("/sys/fs/cgroup/slurm/memory.max", "8000\n"); // the parent's
  files.write("/sys/fs/cgroup/slurm/memory.current", "6000\n");
  EXPECT_EQ(files.available(), 2000u);
  files.write("/sys/fs/cgroup/slurm/memory.stat", "anon 5000\ninactive_file 1000\nactive_file 7\n");
  EXPECT_EQ(files.available(), 3000u);
  files.write("/sys/fs/cgroup/slurm/job_7/memory.max", "5500\n");
  EXPECT_EQ(files.available(), 500u);
  files.write("/sys/fs/cgroup/slurm/job_7/memory.current", "9000\n"); // over its limit already
  EXPECT_EQ(files.available(), 0u);
}

TEST(memory, is_what_the_root_cgroup_leaves_in_a_container) {
  system_files const files;
  files.write("/proc/meminfo", "MemAvailable:   4000 kB\n");
  files.write("/proc/self/cgroup", "0::/\n");
  files.write("/sys/fs/cgroup/memory.max", "8000\n");
  files.write("/sys/fs/cgroup/memory.current", "5000\n");
  EXPECT_EQ(files.available(), 3000u);
}

TEST(memory, knows_the_first_cgroups_too) {
  system_files const files;
  files.write("/proc/meminfo", "MemAvailable:   4000 kB\n");
  files.write("/proc/self/cgroup", "11:cpu,cpuacct:/a\n9:memory:/job\n1:name=systemd:/b\n");
  files.write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000\n");
  files.write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "300\n");
  files.write("/sys/fs/cgroup/memory/job/memory.stat", "total_inactive_file 100\n");
  EXPECT_EQ(files.available(), 800u);
}

} // namespace
