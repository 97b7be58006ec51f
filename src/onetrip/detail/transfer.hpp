// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/mapped_view.hpp>
#include <onetrip/detail/own_work.hpp>
#include <onetrip/detail/strided_copy.hpp>
#include <onetrip/detail/tools_hooks.hpp>
#include <onetrip/error.hpp>
#include <onetrip/memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>

// The only place in the library that copies between memory spaces. It works on bytes, since what is present outlives
// the types of the Views that came by; Kokkos Tools see each copy, with its labels and the bytes that it moves.

namespace onetrip::detail {

/// Whether host and device share one memory, so that memory of the library's own plays the device's.
template <class Memory>
inline constexpr bool is_host_memory =
    static_cast<bool>(Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible);

inline constexpr char const* device_label = "onetrip::region::device_copy";
inline constexpr char const* staging_label = "onetrip::transfer::staging";

/// Memory of the device: one allocation, no kernel, no header. Throws `out_of_memory` with what was asked for and free,
/// for `for_whom()`.
template <class Memory, class Text>
std::byte* allocate_device(char const* label, std::size_t bytes, Text const& for_whom) {
  try {
    return static_cast<std::byte*>(Memory().allocate(label, bytes));
  } catch (std::exception const&) {
    auto const free = available_memory<Memory>();
    throw out_of_memory(for_whom() + ": no " + std::to_string(bytes) + " bytes of memory in " + Memory::name() +
                        (free ? ", where " + std::to_string(*free) + " are free" : ""));
  }
}

template <class Memory>
void free_device(char const* label, std::byte* data, std::size_t bytes) {
  Memory().deallocate(label, data, bytes);
}

template <class To, class From, class Exec>
void copy_bytes(Exec const& exec, void* to, char const* to_space, std::string const& to_label, void const* from,
                char const* from_space, std::string const& from_label, std::size_t bytes) {
  bool const watched = Kokkos::Tools::profileLibraryLoaded();
  if (watched)
    Kokkos::Tools::beginDeepCopy(Kokkos::Tools::make_space_handle(to_space), to_label, to,
                                 Kokkos::Tools::make_space_handle(from_space), from_label, from, bytes);
  Kokkos::Impl::DeepCopy<To, From, Exec>(exec, to, from, bytes);
  if (watched)
    Kokkos::Tools::endDeepCopy();
}

/// One transfer of `bytes` to the device; returns when it is in `exec`'s queue.
template <class Exec>
void send(Exec const& exec, std::byte* device, char const* device_name, std::byte const* host, std::string const& label,
          char const* space, std::size_t bytes) {
  using memory = typename Exec::memory_space;
  if constexpr (is_host_memory<memory>)
    hooks().stand_in(device, bytes);
  copy_bytes<memory, Kokkos::HostSpace>(exec, device, memory::name(), device_name, host, space, label, bytes);
  count_upload(bytes);
}

/// One transfer of `bytes` to the host; returns when it is in `exec`'s queue.
template <class Exec>
void fetch(Exec const& exec, std::byte* host, std::string const& label, char const* space, std::byte const* device,
           char const* device_name, std::size_t bytes) {
  using memory = typename Exec::memory_space;
  if constexpr (is_host_memory<memory>)
    hooks().stand_in(device, bytes);
  copy_bytes<Kokkos::HostSpace, memory>(exec, host, space, label, device, memory::name(), device_name, bytes);
  count_download(bytes);
}

/// A packed copy's memory on either side.
template <class Exec>
class staging {
public:
  using memory = typename Exec::memory_space;

  staging(mapped_view const& view, std::string const& label)
      : host(new std::byte[view.bytes]),
        device(allocate_device<memory>(staging_label, view.bytes,
                                       [&] { return "onetrip::transfer: " + text_of(label, view); })),
        m_bytes(view.bytes) {}
  staging(staging const&) = delete;
  staging& operator=(staging const&) = delete;
  ~staging() { free_device<memory>(staging_label, device, m_bytes); }

  std::unique_ptr<std::byte[]> const host;
  std::byte* const device;

private:
  std::size_t m_bytes;
};

/// The elements of `view` to the device, where they lie at `device` with the same strides: one transfer. Of elements
/// with gaps between: packed, with a kernel and a fence, in staging memory on both sides.
template <class Exec>
void upload(Exec const& exec, std::byte* device, mapped_view const& view, std::string const& label) {
  byte_runs const runs = view.runs();
  if (runs.rank == 0)
    return send(exec, device, device_label, view.data, label, view.space, view.bytes);
  staging<Exec> const packed(view, label);
  repack_on_host<packing::pack>(view.data, packed.host.get(), runs);
  send(exec, packed.device, staging_label, packed.host.get(), label, view.space, view.bytes);
  repack<packing::unpack>(exec, device, packed.device, runs, view.bytes);
  exec.fence("onetrip::transfer::unpacked");
}

/// The same to the host. Of elements without gaps, the transfer is in `exec`'s queue when it returns.
template <class Exec>
void download(Exec const& exec, mapped_view const& view, std::string const& label, std::byte* device) {
  byte_runs const runs = view.runs();
  if (runs.rank == 0)
    return fetch(exec, view.data, label, view.space, device, device_label, view.bytes);
  staging<Exec> const packed(view, label);
  repack<packing::pack>(exec, device, packed.device, runs, view.bytes);
  fetch(exec, packed.host.get(), label, view.space, packed.device, staging_label, view.bytes);
  exec.fence("onetrip::transfer::packed");
  repack_on_host<packing::unpack>(view.data, packed.host.get(), runs);
}

/// From one place in memory that host and device share to another: no transfer. For a View that had no copy of its own.
template <class Exec>
void copy_within(Exec const& exec, std::byte* device, mapped_view const& view, std::string const& label) {
  using memory = typename Exec::memory_space;
  view.runs().for_each([&](std::size_t offset) {
    copy_bytes<memory, Kokkos::HostSpace>(exec, device + offset, memory::name(), device_label, view.data + offset,
                                          view.space, label, view.runs().run);
  });
}

} // namespace onetrip::detail
