// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/host_alive.hpp>
#include <onetrip/detail/host_poison.hpp>
#include <onetrip/detail/own_work.hpp>
#include <onetrip/detail/present_table.hpp>
#include <onetrip/detail/process_state.hpp>
#include <onetrip/detail/transfer.hpp>
#include <onetrip/region/alias.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

// What happens to an entry of a present table between its creation and its end. All of it under the table's mutex,
// which callers hold.

namespace onetrip::detail {

/// Every present table of the process, by the name of its memory space. (Kokkos' own types are hidden in a library that
/// hides its symbols, and with them whatever is made of them: a table for each type would be one for each library.)
struct [[gnu::visibility("default")]] present_tables {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<present_table>> by_space;
};

/// Frees the device's copy, if it has one of its own.
template <class Memory>
void free_copy(entry const& e) {
  if (!e.is_alias())
    free_device<Memory>(device_label, e.device, e.view.span);
}

/// What Kokkos' finalization does: copies nothing back.
template <class Memory>
void drop_all(present_table& table) {
  std::scoped_lock lock(table.mutex);
  table.clear([](entry& e) {
    std::cerr << "onetrip: " + e.text() + ", was so still at Kokkos::finalize (regions " +
                     std::to_string(e.structured) + ", enter_data " + std::to_string(e.dynamic) +
                     "): nothing was copied back\n";
    restore_host(e);
    free_copy<Memory>(e);
  });
}

/// The process's table of one memory space.
template <class Memory>
present_table& table_of() {
  static present_table& found = []() -> present_table& {
    auto& tables = process_state<present_tables>();
    std::scoped_lock lock(tables.mutex);
    auto& table = tables.by_space[Memory::name()];
    if (!table) {
      table = std::make_unique<present_table>();
      Kokkos::push_finalize_hook([made = table.get()] { drop_all<Memory>(*made); });
    }
    return *table;
  }();
  return found;
}

/// The operations of one execution space's instance on the table of its memory.
template <class Exec>
class residency {
public:
  using memory = typename Exec::memory_space;

  static present_table& table() { return table_of<memory>(); }

  explicit residency(Exec const& exec) : m_exec(exec) {}

  /// Brings an array to the device. `held` keeps its memory, if it can.
  entry& create(request const& r, bool uploads, bool copies_back, bool shares, alias how,
                std::shared_ptr<void const> held) {
    entry made;
    made.view = r.view;
    made.label = r.label();
    made.held = std::move(held);
    made.copies_back = copies_back;
    made.distinct = how == alias::distinct;
    made.clause = r.who;
    made.where = r.where;
    bool const is_alias = shares && how == alias::automatic;
    made.device = is_alias ? r.view.data : allocate(r.view.span, r);
    entry& e = table().add(std::move(made));
    if (is_alias) {
      elide(e, uploads + copies_back);
      return e;
    }
    try {
      if (e.distinct)
        poison_device(m_exec, e.device, e.view.span);
      if (uploads)
        to_device(e, e.view);
    } catch (...) {
      discard(e);
      throw;
    }
    return e;
  }

  /// A part of an entry, or all of it, to the device.
  void to_device(entry& e, mapped_view const& part) {
    if (e.is_alias())
      return elide(e, 1);
    upload(m_exec, device_of(e, part), part, e.label);
    add(e.counts->to_device, part);
    if (is_whole(e, part))
      e.state = newer::neither;
  }

  /// A part of an entry, or all of it, to the host, where it is after the next fence.
  void to_host(entry& e, mapped_view const& part) {
    if (e.is_alias())
      return elide(e, 1);
    if (!is_alive(part))
      throw error("onetrip::region: " + e.text() +
                  ": its memory on the host has been freed, so nothing is copied back");
    download(m_exec, part, e.label, device_of(e, part));
    add(e.counts->to_host, part);
    if (is_whole(e, part)) {
      e.state = newer::neither;
      e.saved.clear();
    }
  }

  /// Before a View of the device's is given out.
  void use_on_device(entry& e, bool writes, bool raw) {
    if (e.state == newer::host)
      to_device(e, e.view);
    if (!writes)
      return;
    poison_host(e);
    e.state = newer::device;
    e.raw = e.raw || raw;
  }

  /// Before the host reads, or reads and writes.
  void use_on_host(entry& e, bool writes) {
    if (e.is_alias() || is_newer_on_device(e)) {
      if (!e.is_alias())
        to_host(e, e.view);
      m_exec.fence("onetrip::region::host_access");
    }
    if (writes && !e.is_alias())
      e.state = newer::host;
  }

  /// Whether the entry holds by nothing any more.
  static bool is_unheld(entry const& e) { return e.structured == 0 && e.dynamic == 0; }

  /// Copies back where the device has newer values. Before a fence.
  void copy_back(entry& e) {
    if (e.is_alias())
      return;
    if (is_newer_on_device(e))
      to_host(e, e.view);
    else
      elide(e, 1);
  }

  /// After a fence: the end of an entry.
  void end(entry& e) {
    if (e.distinct && !e.is_alias()) {
      restore_host(e); // what no transfer brought
      poison_device(m_exec, e.device, e.view.span);
      m_exec.fence("onetrip::region::poisoned");
    }
    free_copy<memory>(e);
    table().remove(e);
  }

  /// The end of an entry that copies nothing back, as after an exception.
  void discard(entry& e) {
    m_exec.fence("onetrip::region::discard");
    end(e);
  }

  /// Gives an alias memory of its own on the device, so that it can change places.
  void separate(entry& e, request const& for_whom) {
    if (!e.is_alias())
      return;
    std::byte* const own = allocate(e.view.span, for_whom);
    Kokkos::fence("onetrip::swap::before");
    copy_within(m_exec, own, e.view, e.label);
    m_exec.fence("onetrip::swap::separate");
    e.device = own;
  }

  static std::byte* device_of(entry const& e, mapped_view const& part) { return e.device + (part.data - e.view.data); }

  static bool is_newer_on_device(entry const& e) {
    return e.state == newer::device || (e.raw && e.state != newer::host);
  }

  static void elide(entry& e, std::size_t transfers) {
    e.counts->elided += transfers;
    count_elided(transfers);
  }

private:
  static std::byte* allocate(std::size_t bytes, request const& for_whom) {
    return allocate_device<memory>(device_label, bytes, [&] { return for_whom.text(); });
  }

  static bool is_whole(entry const& e, mapped_view const& part) { return part.bytes == e.view.bytes; }

  static void add(tally& sum, mapped_view const& moved) {
    ++sum.count;
    sum.bytes += moved.bytes;
  }

  Exec const& m_exec;
};

} // namespace onetrip::detail
