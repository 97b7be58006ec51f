// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/process.hpp>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <unistd.h>

namespace onetrip::tool {

namespace {

/// The number in the first of these variables that holds one.
template <std::size_t Count>
std::optional<int> number_in(std::array<char const*, Count> const& names) {
  for (char const* const name : names) {
    char const* const text = std::getenv(name);
    if (text == nullptr)
      continue;
    std::string_view const digits = text;
    int number = 0;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size() && number >= 0)
      return number;
  }
  return std::nullopt;
}

} // namespace

process this_process() {
  process self;
  std::error_code none;
  self.program = std::filesystem::read_symlink("/proc/self/exe", none).filename().string();
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0)
    self.host = host.data();
  self.id = static_cast<int>(getpid());
  self.rank = number_in(std::array{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK"});
  self.ranks = number_in(std::array{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE"});
  // Of Slurm only within a step of tasks: its batch scripts and shells have a rank too, and steps that fit no int.
  if (number_in(std::array{"SLURM_STEP_ID"})) {
    if (!self.rank)
      self.rank = number_in(std::array{"SLURM_PROCID"});
    if (!self.ranks)
      self.ranks = number_in(std::array{"SLURM_NTASKS"});
  }
  return self;
}

std::string expanded(std::string const& name, process const& of) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    char const next = name[i] == '%' && i + 1 < name.size() ? name[i + 1] : '\0';
    switch (next) {
    case 'r': result += std::to_string(of.rank.value_or(0)); break;
    case 'h': result += of.host; break;
    case 'p': result += std::to_string(of.id); break;
    case '%': result += '%'; break;
    default: result += name[i]; continue;
    }
    ++i;
  }
  return result;
}

} // namespace onetrip::tool
