// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/residency.hpp>
#include <onetrip/region/clauses.hpp>

#include <Kokkos_Core.hpp>

#include <mutex>
#include <source_location>
#include <string>
#include <utility>

namespace onetrip {

namespace detail {

enum class towards { host, device };

template <towards Side, class Exec, class View>
void update(Exec const& exec, View const& view, bool must, std::source_location where) {
  if constexpr (Side == towards::host)
    check_written_view<View, Side>();
  else
    check_host_view<View, Side>();
  request const r(Side == towards::host ? "onetrip::update_host" : "onetrip::update_device", view, where);
  if (r.view.empty())
    return;
  residency<Exec> here(exec);
  std::scoped_lock lock(here.table().mutex);
  entry* const e = must ? &here.table().at(r) : here.table().find(r);
  if (e == nullptr)
    return;
  if (Side == towards::device)
    return here.to_device(*e, r.view);
  here.to_host(*e, r.view);
  exec.fence("onetrip::update_host::done");
}

} // namespace detail

/// Copies a View that is present, or a part of one, from the device to the host: one transfer and a fence; elements
/// with gaps between are packed by one kernel and go as one transfer of exactly their bytes. Throws `not_present`,
/// `partially_present`, `shape_error`, `out_of_memory` (of the memory to pack in).
template <execution_space Exec, view_like View>
void update_host(Exec const& exec, View const& view, std::source_location where = std::source_location::current()) {
  detail::update<detail::towards::host>(exec, view, true, where);
}

/// The same from the host to the device. In the instance's queue when it returns: fence before the host's array is
/// written. Elements with gaps between: a kernel and a fence.
template <execution_space Exec, view_like View>
void update_device(Exec const& exec, View const& view, std::source_location where = std::source_location::current()) {
  detail::update<detail::towards::device>(exec, view, true, where);
}

/// `update_host(exec, if_present(u))`: where it isn't, nothing.
template <execution_space Exec, class View>
void update_host(Exec const& exec, detail::clause<View, detail::clause_kind::if_present> const& clause) {
  detail::update<detail::towards::host>(exec, clause.view, false, clause.where);
}

/// `update_device(exec, if_present(u))`: where it isn't, nothing.
template <execution_space Exec, class View>
void update_device(Exec const& exec, detail::clause<View, detail::clause_kind::if_present> const& clause) {
  detail::update<detail::towards::device>(exec, clause.view, false, clause.where);
}

/// u and v change places. Where both are present, each as a whole, their copies on the device do: u and v go on naming
/// the same arrays of the host, and each gets at its region's end what is behind it then. Where neither is, the handles
/// do, as by `std::swap`. So a loop that ends every step with it is right within a region and without one.
///
/// Costs: two lookups; no kernel, transfer or fence. Device Views taken before stay where they are: take them anew.
/// The first swap of a View that shares its memory with the device (`alias`) gives it memory of its own: one
/// allocation, one copy within that memory and two fences.
///
/// Throws `not_present` where one is present and the other isn't, `shape_error` where types, extents or strides differ
/// or one is a part of what is present.
template <execution_space Exec, view_like View>
// NOLINTNEXTLINE(bugprone-exception-escape): tells what it can't swap
void swap(Exec const& exec, View& u, View& v, std::source_location where = std::source_location::current()) {
  detail::check_written_view<View, 0>();
  detail::request const first("onetrip::swap", u, where), second("onetrip::swap", v, where);
  detail::residency<Exec> here(exec);
  std::scoped_lock lock(here.table().mutex);
  detail::entry* const a = first.view.empty() ? nullptr : here.table().find(first);
  detail::entry* const b = second.view.empty() ? nullptr : here.table().find(second);
  if (a == nullptr && b == nullptr)
    return std::swap(u, v);
  if (a == nullptr || b == nullptr)
    throw not_present((a == nullptr ? first : second).text() + " is not present, and " +
                      (a == nullptr ? b : a)->text() + ": both are to be, or neither");
  if (!a->view.same_elements(first.view) || !b->view.same_elements(second.view))
    throw shape_error(first.text() + " and " + detail::text_of(second.label(), second.view) +
                      " can't change places: each must be the whole of what is present");
  if (a->view.rank != b->view.rank || a->view.dims != b->view.dims)
    throw shape_error(first.text() + " and " + detail::text_of(second.label(), second.view) +
                      " can't change places: their extents or strides differ");
  if (a == b)
    return;
  for (detail::entry* const e : {a, b}) {
    here.separate(*e, first);
    here.use_on_device(*e, true, a->raw || b->raw);
  }
  std::swap(a->device, b->device);
}

/// The same on the default instance of the default execution space.
template <view_like View>
// NOLINTNEXTLINE(bugprone-exception-escape): as above
void swap(View& u, View& v, std::source_location where = std::source_location::current()) {
  swap(Kokkos::DefaultExecutionSpace(), u, v, where);
}

} // namespace onetrip
