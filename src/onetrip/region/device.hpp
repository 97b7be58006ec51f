// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/residency.hpp>
#include <onetrip/region/clauses.hpp>

#include <Kokkos_Core.hpp>

#include <mutex>
#include <source_location>
#include <type_traits>
#include <utility>
#include <vector>

namespace onetrip {

/// The View of a host View's data on the device: its data type and layout, in the memory of `Exec`, unmanaged.
template <execution_space Exec, view_like View>
using device_view =
    Kokkos::View<typename View::data_type, typename View::array_layout,
                 Kokkos::Device<Exec, typename Exec::memory_space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The same of const elements.
template <execution_space Exec, view_like View>
using const_device_view =
    Kokkos::View<typename View::const_data_type, typename View::array_layout,
                 Kokkos::Device<Exec, typename Exec::memory_space>, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

namespace detail {

enum class intent { reads, writes, raw };

template <class DeviceView, class Exec, class View>
DeviceView view_on_device(Exec const& exec, char const* who, View const& view, intent what,
                          std::source_location where) {
  check_host_view<View, intent::raw>();
  request const r(who, view, where);
  if (r.view.empty())
    return DeviceView(nullptr, view.layout());
  residency<Exec> here(exec);
  std::scoped_lock lock(here.table().mutex);
  entry& e = here.table().at(r);
  constexpr bool is_const = std::is_const_v<typename View::value_type>;
  here.use_on_device(e, what != intent::reads && !is_const, what == intent::raw && !is_const);
  return DeviceView(reinterpret_cast<typename DeviceView::pointer_type>(here.device_of(e, r.view)), view.layout());
}

template <class Exec, class View>
void use_on_host(Exec const& exec, char const* who, View const& view, bool writes, std::source_location where) {
  check_host_view<View, intent::reads>();
  request const r(who, view, where);
  if (r.view.empty())
    return;
  residency<Exec> here(exec);
  std::scoped_lock lock(here.table().mutex);
  here.use_on_host(here.table().at(r), writes);
}

} // namespace detail

// A host View's data on the device, for kernels: the View itself or a part of one that is present. No kernel, transfer
// or fence, but for a transfer where `host_rw` said that the host has newer values. Such a View holds until its entry
// ends or changes places (`swap`). Throw `not_present`, `partially_present`, `shape_error`.

/// May be read and written at any time from here on: the region copies back, if it does so at all.
template <execution_space Exec, view_like View>
device_view<Exec, View> device(Exec const& exec, View const& view,
                               std::source_location where = std::source_location::current()) {
  return detail::view_on_device<device_view<Exec, View>>(exec, "onetrip::device", view, detail::intent::raw, where);
}

/// Is only read. A region in which nothing else is used copies nothing back.
template <execution_space Exec, view_like View>
const_device_view<Exec, View> device_ro(Exec const& exec, View const& view,
                                        std::source_location where = std::source_location::current()) {
  return detail::view_on_device<const_device_view<Exec, View>>(exec, "onetrip::device_ro", view, detail::intent::reads,
                                                               where);
}

/// May be written until the next `host_ro` or `host_rw` of the same data; take it anew after that.
template <execution_space Exec, view_like View>
device_view<Exec, View> device_rw(Exec const& exec, View const& view,
                                  std::source_location where = std::source_location::current()) {
  return detail::view_on_device<device_view<Exec, View>>(exec, "onetrip::device_rw", view, detail::intent::writes,
                                                         where);
}

// The host's side of the same. What is present is copied to the host, whole, where the device may have newer values:
// one transfer and one fence. Throw as above.

/// For reading on the host.
template <execution_space Exec, view_like View>
Kokkos::View<typename View::const_data_type, typename View::array_layout, typename View::device_type,
             typename View::memory_traits>
host_ro(Exec const& exec, View const& view, std::source_location where = std::source_location::current()) {
  detail::use_on_host(exec, "onetrip::host_ro", view, false, where);
  return view;
}

/// For reading and writing on the host. The next accessor of the device's side uploads, whole.
template <execution_space Exec, view_like View>
View host_rw(Exec const& exec, View const& view, std::source_location where = std::source_location::current()) {
  static_assert(!std::is_const_v<typename View::value_type>,
                "onetrip::host_rw: a View of const can't be written; use onetrip::host_ro");
  detail::use_on_host(exec, "onetrip::host_rw", view, true, where);
  return view;
}

/// Whether the View is present, itself or as a part: a lookup. Throws `partially_present`, `shape_error`.
template <execution_space Exec, view_like View>
bool is_present(Exec const& exec, View const& view, std::source_location where = std::source_location::current()) {
  detail::check_host_view<View, detail::intent::reads>();
  detail::request const r("onetrip::is_present", view, where);
  detail::residency<Exec> here(exec);
  std::scoped_lock lock(here.table().mutex);
  return r.view.empty() || here.table().find(r) != nullptr;
}

/// What regions moved in the memory of this execution space so far, label by label.
template <execution_space Exec>
std::vector<region_count> region_counts(Exec const&) {
  auto& table = detail::residency<Exec>::table();
  std::scoped_lock lock(table.mutex);
  return table.counts();
}

} // namespace onetrip
