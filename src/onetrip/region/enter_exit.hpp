// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/residency.hpp>
#include <onetrip/region/alias.hpp>
#include <onetrip/region/clauses.hpp>
#include <onetrip/region/region.hpp>

#include <array>
#include <cstddef>
#include <mutex>

namespace onetrip {

/// Says that `exit_data` undoes every `enter_data` of a View at once.
struct finalize_t {};
inline constexpr finalize_t finalize{};

/// Views become present until `exit_data`: a region whose end is elsewhere, as in a class or a library's set-up. Each
/// call wants an `exit_data` of its own. Takes `copyin` and `create`. Costs and throws as `region` does, whose
/// constructor this is.
template <execution_space Exec, data_clause... C>
void enter_data(Exec const& exec, alias how, C const&... clauses) {
  static_assert(((C::kind == detail::clause_kind::copyin || C::kind == detail::clause_kind::create) && ...),
                "onetrip::enter_data: takes copyin and create; what comes back says exit_data");
  auto& table = detail::residency<Exec>::table();
  std::scoped_lock lock(table.mutex);
  std::array<detail::entry*, sizeof...(C)> entered{};
  std::size_t count = 0;
  try {
    ((entered[count] = detail::open_clause(exec, clauses, how).held, ++count,
      entered[count - 1] == nullptr ? 0 : ++entered[count - 1]->dynamic),
     ...);
  } catch (...) {
    while (count-- > 0)
      if (detail::entry* const e = entered[count]; e != nullptr && --e->dynamic == 0 && e->structured == 0)
        detail::residency<Exec>(exec).discard(*e);
    throw;
  }
}

/// The same as the process's default says of memory that the device can read.
template <execution_space Exec, data_clause... C>
void enter_data(Exec const& exec, C const&... clauses) {
  enter_data(exec, default_alias(), clauses...);
}

namespace detail {

template <class Exec, class View, clause_kind Kind>
void exit_clause(Exec const& exec, clause<View, Kind> const& c, bool all) {
  static_assert(Kind == clause_kind::copyout || Kind == clause_kind::release,
                "onetrip::exit_data: takes copyout and release");
  request const r("onetrip::exit_data", c.view, c.where);
  if (r.view.empty())
    return;
  residency<Exec> here(exec);
  entry* const e = here.table().find(r);
  if (e == nullptr)
    return;
  if (e->dynamic == 0)
    throw error(r.text() + " is held by regions only, and no enter_data: " + e->text() + "; its region's end frees it");
  e->dynamic = all ? 0 : e->dynamic - 1;
  bool const ends = here.is_unheld(*e);
  std::exception_ptr failure;
  if (Kind == clause_kind::copyout && (ends || c.always)) {
    try {
      c.always ? here.to_host(*e, r.view) : here.copy_back(*e);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (ends || c.always)
    exec.fence("onetrip::exit_data::done");
  if (ends)
    here.end(*e);
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace detail

/// Undoes one `enter_data` of each View; the last one, where no region holds the View, frees its copy on the device,
/// and with `copyout` copies back first what the device has newer: whole, also where the clause names a part. With
/// `release` nothing is copied. What isn't present is left alone. Costs: nothing, or the transfer and one fence. Throws
/// `error` where only regions hold the View.
template <execution_space Exec, data_clause... C>
void exit_data(Exec const& exec, C const&... clauses) {
  std::scoped_lock lock(detail::residency<Exec>::table().mutex);
  (detail::exit_clause(exec, clauses, false), ...);
}

/// The same, undoing every `enter_data`: `exit_data(exec, onetrip::finalize, onetrip::copyout(u))`.
template <execution_space Exec, data_clause... C>
void exit_data(Exec const& exec, finalize_t, C const&... clauses) {
  std::scoped_lock lock(detail::residency<Exec>::table().mutex);
  (detail::exit_clause(exec, clauses, true), ...);
}

} // namespace onetrip
