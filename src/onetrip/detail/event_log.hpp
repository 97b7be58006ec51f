// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/classify.hpp>
#include <onetrip/ledger/account.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
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
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

// The process's one log of events, and what each of Kokkos' callbacks adds to it. Recorders are windows on this log.

namespace onetrip::detail {

/// The events since the oldest living recorder was made, with what is needed to classify the next one.
class [[gnu::visibility("default")]] event_log {
public:
  using handle = Kokkos::Tools::SpaceHandle;

  /// A new log.
  void start() {
    std::scoped_lock lock(m_mutex);
    m_records.clear();
    m_threads.clear();
    m_allocations.clear();
    m_stand_ins.clear();
    m_labels = std::make_shared<label_pool>();
  }

  /// Regions are watched from here on, or no longer: what a thread had pushed before says nothing now.
  void forget_regions() {
    std::scoped_lock lock(m_mutex);
    for (auto& [id, here] : m_threads)
      here.regions.clear();
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
    return account(std::move(records), m_labels);
  }

  void add_stand_in(void const* data, std::size_t bytes) {
    if (bytes == 0)
      return;
    std::scoped_lock lock(m_mutex);
    std::uintptr_t begin = address(data);
    std::uintptr_t end = begin + bytes;
    // One range of those that overlap: each address lies in one at most.
    auto next = m_stand_ins.upper_bound(begin);
    if (next != m_stand_ins.begin() && std::prev(next)->first + std::prev(next)->second > begin)
      --next;
    while (next != m_stand_ins.end() && next->first < end) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->first + next->second);
      next = m_stand_ins.erase(next);
    }
    m_stand_ins.emplace(begin, end - begin);
  }

  void kernel(char const* name, std::uint32_t device) {
    std::string_view const label = text(name);
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    if (here.open_copy && is_packing_kernel(label))
      m_records[here.open_copy->index].upper_bound = true;
    record& r = append(is_own_kernel(label) ? kind::own_kernel : kind::kernel, label, here);
    r.device = device;
  }

  void fence(char const* name, std::uint32_t device) {
    std::string_view const label = text(name);
    std::scoped_lock lock(m_mutex);
    thread& here = this_thread();
    if (is_same_global_fence(label, device, here))
      return;
    kind const what = is_tool_fence(label) ? kind::tool_fence : is_own_fence(label) ? kind::own_fence : kind::fence;
    record& r = append(what, label, here);
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
  // Kokkos reports an allocation at the header that it puts before a View's data, and its size without it.
  static constexpr std::size_t header_bytes = sizeof(Kokkos::Impl::SharedAllocationHeader);

  static constexpr std::size_t no_record = static_cast<std::size_t>(-1);

  // Kokkos reports no end for a copy that threw: one that is still open where the next begins, or where a region does,
  // has failed. Kernels and fences prove nothing, since copies have them too.
  struct copy_under_way {
    std::size_t index;
    kind what; // what it is once it has ended
  };

  struct thread {
    std::optional<copy_under_way> open_copy;
    std::size_t last_record = no_record;
    std::vector<std::string_view> regions; // each with those around it: "solve/step"
    std::string_view region() const { return regions.empty() ? std::string_view{} : regions.back(); }
  };

  static std::uintptr_t address(void const* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

  static std::string_view text(char const* name) { return name == nullptr ? std::string_view{} : name; }
  static std::string_view text(handle const& space) { // Kokkos leaves the last byte unset
    return {space.name, strnlen(space.name, sizeof space.name - 1)};
  }

  // Not thread_local: callbacks still come where a thread's own variables are gone.
  thread& this_thread() { return m_threads[std::this_thread::get_id()]; }

  std::string_view keep(std::string_view label) {
    auto found = m_labels->find(label);
    return found != m_labels->end() ? *found : *m_labels->emplace(label).first;
  }

  /// `Kokkos::fence` reports itself once for each backend of the build, in the same order each time.
  bool is_same_global_fence(std::string_view label, std::uint32_t device, thread const& here) const {
    if (here.last_record >= m_records.size())
      return false;
    record const& last = m_records[here.last_record];
    bool const was_fence = last.what == kind::fence || last.what == kind::own_fence || last.what == kind::tool_fence;
    return was_fence && last.label == label && is_global(last.device) && is_global(device) &&
           space_type(last.device) != space_type(device);
  }

  record& append(kind what, std::string_view label, thread& here) {
    here.last_record = m_records.size();
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
  std::unordered_map<std::thread::id, thread> m_threads;
  std::deque<record> m_records; // no moves on growth: an event's cost stays bounded
  std::shared_ptr<label_pool> m_labels = std::make_shared<label_pool>();
  std::map<std::uintptr_t, std::size_t> m_allocations;
  std::map<std::uintptr_t, std::size_t> m_stand_ins;
};

} // namespace onetrip::detail
