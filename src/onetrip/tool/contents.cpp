// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/contents.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <sys/uio.h>
#include <unistd.h>

namespace onetrip::tool {

namespace {

constexpr std::size_t samples = 32;
constexpr std::size_t sample_bytes = 128;
constexpr std::size_t block_parts = 64; // are read at once, of memory that is hashed whole

constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;

/// Each step can be undone: one word that differs always shows.
constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * odd;
  return sum ^ sum >> 29;
}

/// Of words that are not all alike, if any is not `first`, a bit is set in `differ`. Four lanes, since a multiplication
/// takes longer than it keeps its unit busy.
std::uint64_t hash(std::uint64_t const* words, std::size_t count, std::uint64_t first, std::uint64_t& differ) {
  std::array<std::uint64_t, 4> lane{1, 2, 3, 4};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t l = 0; l < 4; ++l) {
      lane[l] = mixed(lane[l], words[i + l]);
      differ |= words[i + l] ^ first;
    }
  for (; i < count; ++i) {
    lane[0] = mixed(lane[0], words[i]);
    differ |= words[i] ^ first;
  }
  return mixed(mixed(mixed(lane[0], lane[1]), lane[2]), lane[3]);
}

iovec range(std::uintptr_t begin, std::size_t bytes) {
  return {.iov_base = reinterpret_cast<void*>(begin), .iov_len = bytes}; // NOLINT(performance-no-int-to-ptr)
}

} // namespace

double changed_share(digest const& before, digest const& after) {
  if (!before.is_known() || before.parts.size() != after.parts.size() || before.is_whole != after.is_whole)
    return -1;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < before.parts.size(); ++i)
    changed += before.parts[i] != after.parts[i] ? 1 : 0;
  return static_cast<double>(changed) / static_cast<double>(before.parts.size());
}

memory_reader::memory_reader() : m_self(getpid()), m_buffer(part_bytes / sizeof(std::uint64_t)) {}

void memory_reader::read(void const* data, std::size_t bytes, bool whole, digest& into) {
  into.parts.clear();
  into.is_whole = whole || bytes <= part_bytes;
  if (data == nullptr || bytes == 0 || m_is_forbidden)
    return;
  auto const begin = reinterpret_cast<std::uintptr_t>(data);
  errno = 0;
  if (!(into.is_whole ? read_whole(begin, bytes, into) : read_samples(begin, bytes, into))) {
    into.parts.clear();
    m_is_forbidden = errno == EPERM || errno == ENOSYS;
  }
}

bool memory_reader::read_whole(std::uintptr_t begin, std::size_t bytes, digest& into) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  std::size_t const most = std::min(bytes, block_parts * part_bytes);
  if (m_buffer.size() * word < most)
    m_buffer.resize(block_parts * part_bytes / word);
  std::uint64_t first = 0;
  std::uint64_t differ = 0;
  for (std::size_t done = 0; done < bytes;) {
    std::size_t const next = std::min(most, bytes - done);
    iovec const to{.iov_base = m_buffer.data(), .iov_len = next};
    iovec const from = range(begin + done, next);
    if (process_vm_readv(m_self, &to, 1, &from, 1, 0) != static_cast<ssize_t>(next))
      return false;
    if (done == 0)
      std::memcpy(&first, m_buffer.data(), std::min(next, word));
    std::size_t const words = next / word;
    std::size_t const tail = next % word;
    constexpr std::size_t part_words = part_bytes / word;
    for (std::size_t at = 0; at < words || (at == words && tail != 0 && at % part_words == 0); at += part_words)
      into.parts.push_back(hash(&m_buffer[at], std::min(part_words, words - at), first, differ));
    if (tail != 0) {
      std::uint64_t last = 0;
      std::uint64_t alike = 0;
      std::memcpy(&last, &m_buffer[words], tail);
      std::memcpy(&alike, &first, tail);
      differ |= last ^ alike;
      into.parts.back() = mixed(into.parts.back(), last);
    }
    done += next;
  }
  into.is_constant = differ == 0;
  return true;
}

bool memory_reader::read_samples(std::uintptr_t begin, std::size_t bytes, digest& into) {
  static_assert(samples * sample_bytes <= part_bytes);
  std::array<iovec, samples> from;
  std::size_t const stride = bytes / samples;
  for (std::size_t i = 0; i < samples; ++i) { // anywhere in its stride, but the first and the last at the ends
    std::size_t const room = stride - sample_bytes + 1;
    std::size_t const shift = i == 0 ? 0 : ((mixed(i, bytes) >> 20) % room) & ~std::size_t{7};
    from[i] = range(begin + (i + 1 == samples ? bytes - sample_bytes : i * stride + shift), sample_bytes);
  }
  iovec const to{.iov_base = m_buffer.data(), .iov_len = samples * sample_bytes};
  if (process_vm_readv(m_self, &to, 1, from.data(), samples, 0) != static_cast<ssize_t>(to.iov_len))
    return false;
  std::uint64_t differ = 0;
  constexpr std::size_t words = sample_bytes / sizeof(std::uint64_t);
  for (std::size_t i = 0; i < samples; ++i)
    into.parts.push_back(hash(&m_buffer[i * words], words, m_buffer[0], differ));
  into.is_constant = differ == 0;
  return true;
}

} // namespace onetrip::tool
