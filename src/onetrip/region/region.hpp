// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/residency.hpp>
#include <onetrip/region/alias.hpp>
#include <onetrip/region/clauses.hpp>
#include <onetrip/region/device.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <mutex>
#include <source_location>
#include <utility>

namespace onetrip {

namespace detail {

/// What a region keeps of a clause.
struct ticket {
  entry* held = nullptr;
  mapped_view always_back; ///< what is copied back where the entry stays; empty: nothing
};

template <class Exec, class View, clause_kind Kind>
ticket open_clause(Exec const& exec, clause<View, Kind> const& c, alias how) {
  using enum clause_kind;
  constexpr bool in = Kind == copy || Kind == copyin;
  constexpr bool out = Kind == copy || Kind == copyout;
  residency<Exec> here(exec);
  request const r(name_of(Kind), c.view, c.where);
  if (r.view.empty())
    return {};
  ticket made;
  if constexpr (Kind == clause_kind::present) {
    made.held = &here.table().at(r);
  } else {
    made.held = here.table().find(r);
    if (made.held == nullptr && Kind == if_present)
      return {};
  }
  if (made.held == nullptr) {
    constexpr bool shares = shares_memory<View, Exec>;
    std::shared_ptr<void const> keep;
    if (c.view.use_count() > 0)
      keep = std::make_shared<View const>(c.view);
    made.held = &here.create(r, in, out, shares, how, std::move(keep));
  } else if (c.always) {
    if (in)
      here.to_device(*made.held, r.view);
    if (out)
      made.always_back = r.view;
  } else if (in || out) {
    residency<Exec>::elide(*made.held, in + out);
    made.held->counts->unheeded += out && !made.held->copies_back;
  }
  return made;
}

} // namespace detail

/// A scope in which host Views are present on the device: from its first line to the closing brace their data stays
/// there, and whatever enters them again meanwhile moves nothing.
///
///     onetrip::region data(exec, onetrip::copy(u), onetrip::create(v)); // one upload now, one download at the end
///     for (int s = 0; s < steps; ++s)
///       step(exec, u, v); // has a region of its own, and takes its device Views by data.device(u)
///
/// Costs: for each View that isn't present one allocation, and the transfers of its clause; at the end of those that it
/// brought one fence of the instance, and the download only of what was written on the device, as far as anybody can
/// know. Of a View that is present: a lookup, O(log n). Uploads are in the instance's queue when it returns: fence
/// before the host's array is written. Elements with gaps between go packed: one transfer, and a kernel and a fence.
/// Where the device can read the host's memory there is no copy at all (`alias`), but the fence stays.
///
/// The clause that brought a View decides what is copied back, whatever the order in which regions end. Views overlap
/// only where one is a part of another that came first. Managed Views are kept alive; foreign memory must outlive its
/// region. While an exception unwinds nothing is copied back: the device may have stopped halfway.
///
/// Throws `partially_present`, `shape_error`, `not_present` (of `present`), `out_of_memory`; then everything is as
/// before. Several host threads may have regions. Not within a kernel.
template <execution_space Exec, std::size_t N>
class [[nodiscard]] region {
public:
  template <data_clause... C>
  explicit region(Exec const& exec, C const&... clauses) : region(exec, default_alias(), clauses...) {}

  template <data_clause... C>
  region(Exec exec, alias how, C const&... clauses)
      : m_exec(std::move(exec)), m_exceptions(std::uncaught_exceptions()) {
    static_assert(((C::kind != detail::clause_kind::release) && ...),
                  "onetrip::region: its end releases what it holds; onetrip::release is for exit_data");
    std::scoped_lock lock(table().mutex);
    m_generation = table().generation;
    std::size_t opened = 0;
    try {
      ((m_tickets[opened] = detail::open_clause(m_exec, clauses, how), hold(m_tickets[opened++])), ...);
    } catch (...) {
      abandon();
      throw;
    }
    m_open = true;
  }

  region(region&& other) noexcept
      : m_exec(std::move(other.m_exec)), m_tickets(other.m_tickets), m_exceptions(other.m_exceptions),
        m_generation(other.m_generation), m_open(std::exchange(other.m_open, false)) {}
  region(region const&) = delete;
  region& operator=(region const&) = delete;
  region& operator=(region&&) = delete;

  /// As `close`. What it would throw is a line on stderr. While an exception unwinds: without copying back.
  ~region() {
    try {
      if (std::uncaught_exceptions() > m_exceptions)
        unwind();
      else
        close();
    } catch (std::exception const& failure) {
      std::cerr << failure.what() << '\n';
    }
  }

  /// The region's end, before its scope's. Again: nothing. Throws what goes wrong with copying back.
  void close() {
    if (!std::exchange(m_open, false))
      return;
    std::scoped_lock lock(table().mutex);
    if (table().generation == m_generation)
      end();
  }

  /// The View's data on the device; may be written. `onetrip::device` on this region's instance.
  template <view_like View>
  auto device(View const& view, std::source_location where = std::source_location::current()) const {
    return onetrip::device(m_exec, view, where);
  }

private:
  using residency = detail::residency<Exec>;
  static auto& table() { return residency::table(); }

  static void hold(detail::ticket const& t) {
    if (t.held != nullptr)
      ++t.held->structured;
  }

  /// Calls `f` for each entry that this region held last.
  template <class F>
  void let_go(F const& f) {
    for (detail::ticket& t : m_tickets)
      if (detail::entry* const e = std::exchange(t.held, nullptr);
          e != nullptr && --e->structured == 0 && e->dynamic == 0)
        f(*e);
  }

  /// Whether the end of one more region copies it back anyway.
  static bool copies_back_now(detail::entry const& e) { return e.copies_back && e.structured == 1 && e.dynamic == 0; }

  void end() {
    residency here(m_exec);
    std::array<detail::entry*, N> last{};
    std::size_t count = 0;
    std::exception_ptr failure;
    bool moves = false;
    auto const try_to = [&](auto const& f) {
      try {
        f();
      } catch (...) {
        failure = std::current_exception();
      }
    };
    for (detail::ticket const& t : m_tickets)
      if (t.held != nullptr && !t.always_back.empty() && !copies_back_now(*t.held)) {
        moves = true;
        try_to([&] { here.to_host(*t.held, t.always_back); });
      }
    let_go([&](detail::entry& e) {
      last[count++] = &e;
      if (e.copies_back)
        try_to([&] { here.copy_back(e); });
    });
    if (moves || count > 0)
      m_exec.fence("onetrip::region::close");
    for (std::size_t i = 0; i < count; ++i)
      here.end(*last[i]);
    if (failure)
      std::rethrow_exception(failure);
  }

  void abandon() {
    residency here(m_exec);
    let_go([&](detail::entry& e) {
      if (e.copies_back && residency::is_newer_on_device(e) && !e.is_alias())
        e.counts->abandoned_bytes += e.view.bytes;
      here.discard(e);
    });
  }

  void unwind() {
    if (!std::exchange(m_open, false))
      return;
    std::scoped_lock lock(table().mutex);
    if (table().generation == m_generation)
      abandon();
  }

  Exec m_exec;
  std::array<detail::ticket, N> m_tickets{};
  int m_exceptions;
  std::uint64_t m_generation = 0;
  bool m_open = false;
};

template <class Exec, data_clause... C>
region(Exec const&, C const&...) -> region<Exec, sizeof...(C)>;
template <class Exec, data_clause... C>
region(Exec const&, alias, C const&...) -> region<Exec, sizeof...(C)>;

} // namespace onetrip
