// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>
#include <type_traits>

namespace onetrip {

namespace detail {

enum class clause_kind { copy, copyin, copyout, create, present, if_present, release };

constexpr char const* name_of(clause_kind kind) {
  switch (kind) {
  case clause_kind::copy: return "onetrip::copy";
  case clause_kind::copyin: return "onetrip::copyin";
  case clause_kind::copyout: return "onetrip::copyout";
  case clause_kind::create: return "onetrip::create";
  case clause_kind::present: return "onetrip::present";
  case clause_kind::if_present: return "onetrip::if_present";
  case clause_kind::release: return "onetrip::release";
  }
  return "onetrip";
}

/// What a region does with a View.
template <class View, clause_kind Kind>
struct clause {
  static constexpr clause_kind kind = Kind;
  View view;
  std::source_location where;
  bool always = false;
};

template <class T>
inline constexpr bool is_clause = false;
template <class View, clause_kind Kind>
inline constexpr bool is_clause<clause<View, Kind>> = true;

/// What holds for every View that has a copy on the device. `For`: so that compilers say it again for each use.
template <class View, auto For>
constexpr void check_host_view() {
  static_assert(view_like<View>, "onetrip::region: a clause takes a Kokkos::View");
  static_assert(
      static_cast<bool>(Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible),
      "onetrip::region: a View of the device's memory is there already; a clause takes a View of the host's");
  static_assert(std::is_trivially_copyable_v<typename View::non_const_value_type>,
                "onetrip::region: elements are copied byte by byte, and these are not trivially copyable");
}

template <class View, auto For>
constexpr void check_written_view() {
  check_host_view<View, For>();
  static_assert(!std::is_const_v<typename View::value_type>,
                "onetrip::region: a View of const can't be written back; use onetrip::copyin");
}

} // namespace detail

/// What `region`, `enter_data` and `exit_data` take.
template <class T>
concept data_clause = detail::is_clause<T>;

// A clause names a host View of any rank, layout and element type that is trivially copyable. Where the View is present
// already, each of them moves nothing; see `always`. Making a clause does nothing.

/// To the device where the region begins, back where it ends: two transfers.
template <class View>
auto copy(View const& view, std::source_location where = std::source_location::current()) {
  detail::check_written_view<View, detail::clause_kind::copy>();
  return detail::clause<View, detail::clause_kind::copy>{view, where};
}

/// To the device: one transfer. Takes Views of const too.
template <class View>
auto copyin(View const& view, std::source_location where = std::source_location::current()) {
  detail::check_host_view<View, detail::clause_kind::copyin>();
  return detail::clause<View, detail::clause_kind::copyin>{view, where};
}

/// Device memory, its values undefined; to the host where the region ends, or in `exit_data`: one transfer.
template <class View>
auto copyout(View const& view, std::source_location where = std::source_location::current()) {
  detail::check_written_view<View, detail::clause_kind::copyout>();
  return detail::clause<View, detail::clause_kind::copyout>{view, where};
}

/// Device memory, its values undefined; no transfer.
template <class View>
auto create(View const& view, std::source_location where = std::source_location::current()) {
  detail::check_written_view<View, detail::clause_kind::create>();
  return detail::clause<View, detail::clause_kind::create>{view, where};
}

/// The View must be present: else the region throws `not_present`. No transfer.
template <class View>
auto present(View const& view, std::source_location where = std::source_location::current()) {
  detail::check_host_view<View, detail::clause_kind::present>();
  return detail::clause<View, detail::clause_kind::present>{view, where};
}

/// Where the View is present it stays so throughout the region; where it isn't, nothing happens. No transfer.
template <class View>
auto if_present(View const& view, std::source_location where = std::source_location::current()) {
  detail::check_host_view<View, detail::clause_kind::if_present>();
  return detail::clause<View, detail::clause_kind::if_present>{view, where};
}

/// In `exit_data`: leaves the device without a transfer, OpenACC's delete.
template <class View>
auto release(View const& view, std::source_location where = std::source_location::current()) {
  detail::check_host_view<View, detail::clause_kind::release>();
  return detail::clause<View, detail::clause_kind::release>{view, where};
}

/// The clause's transfers are made even where the View is present.
template <class View, detail::clause_kind Kind>
auto always(detail::clause<View, Kind> clause) {
  using enum detail::clause_kind;
  static_assert(Kind == copy || Kind == copyin || Kind == copyout,
                "onetrip::always: takes a clause that has transfers: copy, copyin or copyout");
  clause.always = true;
  return clause;
}

} // namespace onetrip
