// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/memory_check.hpp>

#include <common/program.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <iomanip>
#include <limits>
#include <sstream>
#include <type_traits>

namespace apps {

namespace {

constexpr std::size_t most = std::numeric_limits<std::size_t>::max();

std::string gibibytes(std::size_t bytes) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << static_cast<double>(bytes) / (1 << 30) << " GiB";
  return text.str();
}

using device_space = Kokkos::DefaultExecutionSpace::memory_space;
constexpr bool shared = std::is_same_v<device_space, Kokkos::HostSpace>;

template <class Space>
void require(std::size_t bytes, std::string const& what) {
  if (auto const message = shortage(bytes, onetrip::available_memory<Space>(), what))
    throw bad_input(*message);
}

} // namespace

std::size_t bytes_for(std::size_t count, std::size_t size) {
  return size != 0 && count > most / size ? most : count * size;
}

std::optional<std::string> shortage(std::size_t needed, std::optional<std::size_t> available, std::string const& what) {
  if (!available || needed <= *available)
    return std::nullopt;
  return "needs " + gibibytes(needed) + " of " + what + ", " + gibibytes(*available) + " available";
}

void require_host_memory(std::size_t host_bytes, std::size_t device_bytes) {
  std::size_t const both = host_bytes > most - device_bytes ? most : host_bytes + device_bytes;
  require<Kokkos::HostSpace>(shared ? both : host_bytes, "host memory");
}

void require_device_memory(std::size_t device_bytes) {
  if constexpr (!shared)
    require<device_space>(device_bytes, "device memory");
}

} // namespace apps
