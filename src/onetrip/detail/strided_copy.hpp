// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/launch.hpp>
#include <onetrip/detail/mapped_view.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

// Between strided bytes and packed ones: a kernel on the device, a loop on the host; and the poison of `distinct`.

namespace onetrip::detail {

enum class packing { pack, unpack };

/// Bytes that move as one. Aliases whatever lies there.
template <int Bytes>
struct [[gnu::may_alias]] alignas(Bytes) word {
  unsigned char byte[Bytes];
};
template <>
struct [[gnu::may_alias]] word<4> {
  std::uint32_t value;
};
template <>
struct [[gnu::may_alias]] word<8> {
  std::uint64_t value;
};

/// One item a word of the packed side.
template <int Bytes, packing How>
struct strided_copy {
  word<Bytes>* strided;
  word<Bytes>* packed;
  std::int64_t run; // lengths are in words
  int rank;
  Kokkos::Array<std::int64_t, 8> extent, stride;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t rest = i / run;
    std::int64_t at = i - rest * run;
    for (int d = rank - 1; d >= 0; --d) {
      std::int64_t const above = rest / extent[d];
      at += (rest - above * extent[d]) * stride[d];
      rest = above;
    }
    if constexpr (How == packing::pack)
      packed[i] = strided[at];
    else
      strided[at] = packed[i];
  }
};

template <int Bytes, packing How, class Exec>
void launch_copy(Exec const& exec, std::byte* strided, std::byte* packed, byte_runs const& runs, std::size_t bytes) {
  strided_copy<Bytes, How> copy{reinterpret_cast<word<Bytes>*>(strided),
                                reinterpret_cast<word<Bytes>*>(packed),
                                static_cast<std::int64_t>(runs.run / Bytes),
                                runs.rank,
                                {},
                                {}};
  for (int d = 0; d < runs.rank; ++d) {
    copy.extent[d] = static_cast<std::int64_t>(runs.dims[d].extent);
    copy.stride[d] = static_cast<std::int64_t>(runs.dims[d].stride / Bytes);
  }
  static std::string const label = How == packing::pack ? "onetrip::transfer::pack" : "onetrip::transfer::unpack";
  launch_for(exec, label, static_cast<std::int64_t>(bytes / Bytes), copy);
}

/// Packs or unpacks in the device's memory: one kernel. `bytes` of the packed side.
template <packing How, class Exec>
void repack(Exec const& exec, std::byte* strided, std::byte* packed, byte_runs const& runs, std::size_t bytes) {
  std::size_t unit = std::gcd(reinterpret_cast<std::uintptr_t>(strided), runs.run);
  for (int d = 0; d < runs.rank; ++d)
    unit = std::gcd(unit, runs.dims[d].stride);
  if (unit % 8 == 0)
    launch_copy<8, How>(exec, strided, packed, runs, bytes);
  else if (unit % 4 == 0)
    launch_copy<4, How>(exec, strided, packed, runs, bytes);
  else
    launch_copy<1, How>(exec, strided, packed, runs, bytes);
}

/// `Bytes`: of a run, where it is known when this is compiled.
template <packing How, std::size_t Bytes = 0>
void repack_row(std::byte* strided, std::byte* packed, std::size_t count, std::size_t stride, std::size_t run = Bytes) {
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (How == packing::pack)
      std::memcpy(packed + i * run, strided + i * stride, Bytes == 0 ? run : Bytes);
    else
      std::memcpy(strided + i * stride, packed + i * run, Bytes == 0 ? run : Bytes);
  }
}

/// The same in the host's memory, by a loop.
template <packing How>
void repack_on_host(std::byte* strided, std::byte* packed, byte_runs const& runs) {
  runs.for_each_row([&](std::size_t offset, std::size_t count, std::size_t stride) {
    switch (runs.run) {
    case 4: repack_row<How, 4>(strided + offset, packed, count, stride); break;
    case 8: repack_row<How, 8>(strided + offset, packed, count, stride); break;
    default: repack_row<How>(strided + offset, packed, count, stride, runs.run);
    }
    packed += count * runs.run;
  });
}

/// What `distinct` writes where nothing valid is: NaN in every format of real numbers, and a rare integer.
KOKKOS_INLINE_FUNCTION constexpr unsigned char poison_at(std::int64_t byte) { return byte % 2 == 0 ? 0xfb : 0xff; }

struct poison_bytes {
  unsigned char* data;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { data[i] = poison_at(i); }
};

/// One kernel.
template <class Exec>
void poison_device(Exec const& exec, std::byte* data, std::size_t bytes) {
  static std::string const label = "onetrip::region::poison";
  launch_for(exec, label, static_cast<std::int64_t>(bytes), poison_bytes{reinterpret_cast<unsigned char*>(data)});
}

} // namespace onetrip::detail
