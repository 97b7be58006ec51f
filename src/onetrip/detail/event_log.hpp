// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/event_model.hpp>
#include <onetrip/ledger/account.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <mutex>
#include <vector>

// The process's one log of events. Recorders are windows on this log.

namespace onetrip::detail {

/// The events since the oldest living recorder was made.
class [[gnu::visibility("default")]] event_log {
public:
  using handle = Kokkos::Tools::SpaceHandle;

  /// A new log.
  void start() {
    std::scoped_lock lock(m_mutex);
    m_records.clear();
    m_model = model(header_bytes);
  }

  /// Regions are watched from here on, or no longer.
  void forget_regions() {
    std::scoped_lock lock(m_mutex);
    m_model.forget_regions();
  }

  std::size_t size() const {
    std::scoped_lock lock(m_mutex);
    return m_records.size();
  }

  /// The events from `first` on, with or without kernels.
  account since(std::size_t first, bool with_kernels) const {
    std::scoped_lock lock(m_mutex);
    std::vector<record> records;
    std::copy_if(
        m_records.begin() + static_cast<std::ptrdiff_t>(first), m_records.end(), std::back_inserter(records),
        [=](record const& r) { return with_kernels || (r.what != kind::kernel && r.what != kind::own_kernel); });
    return account(std::move(records), m_model.labels());
  }

  void add_stand_in(void const* data, std::size_t bytes) {
    std::scoped_lock lock(m_mutex);
    m_model.add_stand_in(data, bytes);
  }

  void kernel(char const* label, std::uint32_t device) {
    std::scoped_lock lock(m_mutex);
    m_records.push_back(m_model.kernel(text(label), device));
  }

  void fence(char const* label, std::uint32_t device) {
    std::scoped_lock lock(m_mutex);
    if (auto const r = m_model.fence(text(label), device))
      m_records.push_back(*r);
  }

  void push_region(char const* name) {
    std::scoped_lock lock(m_mutex);
    m_model.push_region(text(name));
  }

  void pop_region() {
    std::scoped_lock lock(m_mutex);
    m_model.pop_region();
  }

  void allocate(handle const& space, char const* label, void const* pointer, std::uint64_t bytes) {
    std::scoped_lock lock(m_mutex);
    m_records.push_back(m_model.allocate(text(space), text(label), pointer, bytes));
  }

  void deallocate(handle const& space, char const* label, void const* pointer, std::uint64_t bytes) {
    std::scoped_lock lock(m_mutex);
    m_records.push_back(m_model.deallocate(text(space), text(label), pointer, bytes));
  }

  void begin_copy(handle const& to, char const* to_label, void const* to_data, handle const& from,
                  char const* from_label, void const* from_data, std::uint64_t bytes) {
    std::scoped_lock lock(m_mutex);
    m_records.push_back(m_model.begin_copy({text(to), text(to_label), to_data},
                                           {text(from), text(from_label), from_data}, bytes, m_records.size()));
  }

  void end_copy() {
    std::scoped_lock lock(m_mutex);
    if (auto const ended = m_model.end_copy())
      m_records[ended->note] = ended->what;
  }

private:
  using model = event_model<std::size_t>; // a copy's place among the records

  static constexpr std::size_t header_bytes = sizeof(Kokkos::Impl::SharedAllocationHeader);

  mutable std::mutex m_mutex;
  std::deque<record> m_records; // no moves on growth: an event's cost stays bounded
  model m_model{header_bytes};
};

} // namespace onetrip::detail
