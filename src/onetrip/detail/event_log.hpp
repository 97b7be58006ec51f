// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/classify.hpp>
#include <onetrip/detail/process_state.hpp>
#include <onetrip/ledger/account.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The process's one log of events, and what each of Kokkos' callbacks adds to it. Recorders are windows on this log.

namespace onetrip::detail {

/// The events since the oldest living recorder was made, with what is needed to classify the next one.
class [[gnu::visibility("default")]] event_log {
public:
  using handle = Kokkos::Tools::SpaceHandle;

  /// A new log: every thread forgets its open copy and its regions.
  void start() {
    std::scoped_lock lock(m_mutex);
    m_records.clear();
    m_allocations.clear();
    m_stand_ins.clear();
    m_labels = std::make_shared<label_pool>();
    ++m_epoch;
  }

  /// Regions are watched from here on, or no longer: what a thread had pushed before says nothing now.
  void forget_regions() {
    std::scoped_lock lock(m_mutex);
    ++m_region_epoch;
  }

  std::size_t size() const {
    std::scoped_lock lock(m_mutex);
    return m_records.size();
  }

  /// The events from `first` on.
  account since(std::size_t first) const {
    std::scoped_lock lock(m_mutex);
    auto from = m_records.begin() + static_cast<std::ptrdiff_t>(first);
    return account({from, m_records.end()}, m_labels);
  }

  void add_stand_in(void const* data, std::size_t bytes) {
    std::scoped_lock lock(m_mutex);
    m_stand_ins.insert_or_assign(address(data), bytes);
  }

  void kernel(char const* name, std::uint32_t device) {
    std::string_view const label = text(name);
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    bool const own = is_own_kernel(label);
    if (!own)
      here.open_copy.reset(); // Kokkos reports no end for a copy that threw
    else if (here.open_copy && is_packing_kernel(label))
      m_records[here.open_copy->index].upper_bound = true;
    record& r = append(own ? kind::own_kernel : kind::kernel, label, here);
    r.device = device;
  }

  void fence(char const* name, std::uint32_t device) {
    std::string_view const label = text(name);
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    bool const own = is_own_fence(label);
    bool const tool = is_tool_fence(label);
    if (!own && !tool)
      here.open_copy.reset();
    record& r = append(tool ? kind::tool_fence : own ? kind::own_fence : kind::fence, label, here);
    r.device = device;
  }

  void push_region(char const* name) {
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    here.open_copy.reset();
    std::string path(here.region());
    if (!here.regions.empty())
      path += '/';
    here.regions.push_back(keep(path.append(text(name))));
  }

  void pop_region() {
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    here.open_copy.reset();
    if (!here.regions.empty()) // a region pushed before the log began
      here.regions.pop_back();
  }

  void allocate(handle const& space, char const* name, void const* pointer, std::uint64_t bytes) {
    std::scoped_lock lock(m_mutex);
    record& r = append(kind::allocation, text(name), this_thread());
    r.space = keep(text(space));
    r.bytes_asked = bytes;
    if (pointer != nullptr)
      m_allocations.insert_or_assign(address(pointer), bytes);
  }

  void deallocate(handle const& space, char const* name, void const* pointer, std::uint64_t bytes) {
    std::scoped_lock lock(m_mutex);
    record& r = append(kind::deallocation, text(name), this_thread());
    r.space = keep(text(space));
    r.bytes_asked = bytes;
    m_allocations.erase(address(pointer));
    auto const first = m_stand_ins.lower_bound(address(pointer));
    m_stand_ins.erase(first, m_stand_ins.lower_bound(address(pointer) + header_bytes + bytes));
  }

  void begin_copy(handle const& to, char const* to_label, void const* to_data, handle const& from,
                  char const* from_label, void const* from_data, std::uint64_t bytes) {
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    here.open_copy = copy_under_way{m_records.size(), kind::copy};
    record& r = append(kind::failed_copy, text(to_label), here); // until its end comes
    r.space = keep(text(to));
    r.source = keep(text(from_label));
    r.source_space = keep(text(from));
    r.bytes_asked = bytes;
    side const from_side = side_at(from_data, r.source_space);
    side const to_side = side_at(to_data, r.space);
    r.where = direction_of(from_side, to_side);
    bool const apart = from_side != to_side || (r.where == direction::unknown && r.space != r.source_space);
    if (to_data == nullptr || from_data == nullptr || bytes == 0)
      here.open_copy->what = kind::empty_copy;
    else if (to_data == from_data)
      here.open_copy->what = kind::alias;
    else if (from_side == side::host && is_scalar_label(r.source) && !is_allocated(from_data))
      here.open_copy->what = kind::fill;
    else if (apart)
      here.open_copy->what = kind::transfer;
  }

  void end_copy() {
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    if (!here.open_copy) // its begin was another thread's, or before the log
      return;
    record& r = m_records[here.open_copy->index];
    r.what = here.open_copy->what;
    if (r.what == kind::transfer || r.what == kind::copy)
      r.bytes_moved = r.bytes_asked;
    if (r.what == kind::fill || r.what == kind::empty_copy)
      r.where = direction::none;
    here.open_copy.reset();
  }

private:
  // Kokkos reports an allocation at the header that it puts before a View's data: 128 bytes, 256 for AMD GPUs.
  static constexpr std::size_t header_bytes = 256;

  struct copy_under_way {
    std::size_t index;
    kind what; // what it is once it has ended
  };

  struct [[gnu::visibility("default")]] thread {
    std::uint64_t epoch = 0;
    std::uint64_t region_epoch = 0;
    std::optional<copy_under_way> open_copy;
    std::vector<std::string_view> regions; // each with those around it: "solve/step"
    std::string_view region() const {
      return regions.empty() ? std::string_view{} : regions.back();
    }
  };

  static std::uintptr_t address(void const* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }

  static std::string_view text(char const* name) {
    return name == nullptr ? std::string_view{} : name;
  }
  static std::string_view text(handle const& space) { // Kokkos leaves the last byte unset
    return {space.name, strnlen(space.name, sizeof space.name - 1)};
  }

  thread& this_thread() {
    thread& here = thread_state<thread>();
    if (here.epoch != m_epoch) {
      here.open_copy.reset();
      here.regions.clear();
      here.epoch = m_epoch;
    }
    if (here.region_epoch != m_region_epoch) {
      here.regions.clear();
      here.region_epoch = m_region_epoch;
    }
    return here;
  }

  std::string_view keep(std::string_view label) {
    auto found = m_labels->find(label);
    return found != m_labels->end() ? *found : *m_labels->emplace(label).first;
  }

  record& append(kind what, std::string_view label, thread const& here) {
    record& r = m_records.emplace_back();
    r.what = what;
    r.label = keep(label);
    r.region = here.region();
    return r;
  }

  side side_at(void const* data, std::string_view space) const {
    auto next = m_stand_ins.upper_bound(address(data));
    if (next != m_stand_ins.begin()) {
      auto const& [begin, bytes] = *std::prev(next);
      if (address(data) - begin < bytes)
        return side::device;
    }
    return side_of(space);
  }

  bool is_allocated(void const* data) const {
    auto next = m_allocations.upper_bound(address(data));
    if (next == m_allocations.begin())
      return false;
    auto const& [begin, bytes] = *std::prev(next);
    return address(data) - begin < bytes + header_bytes;
  }

  mutable std::mutex m_mutex;
  std::uint64_t m_epoch = 0;
  std::uint64_t m_region_epoch = 0;
  std::deque<record> m_records; // no moves on growth: an event's cost stays bounded
  std::shared_ptr<label_pool> m_labels = std::make_shared<label_pool>();
  std::map<std::uintptr_t, std::size_t> m_allocations;
  std::map<std::uintptr_t, std::size_t> m_stand_ins;
};

} // namespace onetrip::detail
