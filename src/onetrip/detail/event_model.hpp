// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/address_ranges.hpp>
#include <onetrip/detail/classify.hpp>
#include <onetrip/detail/label_pool.hpp>
#include <onetrip/ledger/record.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

// What Kokkos' callbacks mean, for the recorder in the process and for the tool beside it: the one place that makes
// records of them. Free of Kokkos' headers, since the tool is one binary for all versions of Kokkos.

namespace onetrip::detail {

/// A label as a callback gets it.
inline std::string_view text(char const* label) { return label == nullptr ? std::string_view{} : label; }

/// A memory space's name in Kokkos' handle of it, whose last byte Kokkos leaves unset.
template <class SpaceHandle>
  requires requires(SpaceHandle const& space) { space.name; }
std::string_view text(SpaceHandle const& space) {
  return {space.name, strnlen(space.name, sizeof space.name - 1)};
}

/// One side of a copy, as Kokkos reports it.
struct copy_side {
  std::string_view space;
  std::string_view label;
  void const* data;
};

/// Makes records of callbacks, from what it has seen of those before. `Note` is what its owner keeps with a copy that
/// is under way. Not thread-safe: its owner locks; the calling thread's own regions and copy are told apart.
template <class Note>
class event_model {
public:
  struct copy_under_way {
    record what; // as it will be, once it has ended
    Note note;
  };

  /// Regions deeper than this count as the one at this depth.
  static constexpr std::size_t most_nested_regions = 64;

  /// Kokkos reports an allocation at the header that it puts before a View's data, and its size without it.
  explicit event_model(std::size_t header_bytes) : m_header_bytes(header_bytes) {}

  /// The texts that records point into.
  std::shared_ptr<label_pool const> labels() const { return m_labels; }

  /// A text that lives as long as the labels do; equal ones have equal addresses.
  std::string_view keep(std::string_view text) {
    auto const found = m_labels->find(text);
    return found != m_labels->end() ? *found : *m_labels->emplace(text).first;
  }

  /// Regions are watched from here on, or no longer: what a thread had pushed before says nothing now.
  void forget_regions() {
    for (auto& [id, here] : m_threads)
      here.regions.clear();
  }

  /// Copies from and to this memory are the device's.
  void add_stand_in(void const* data, std::size_t bytes) { m_stand_ins.merge(data, bytes); }

  record kernel(std::string_view label, std::uint32_t device) {
    thread& here = this_thread();
    if (here.open_copy && is_packing_kernel(label))
      here.open_copy->what.upper_bound = true;
    record r = make(is_own_kernel(label) ? kind::own_kernel : kind::kernel, label, here);
    r.device = device;
    return r;
  }

  /// Nothing where this is the same fence once more: `Kokkos::fence` reports itself for each backend of the build.
  std::optional<record> fence(std::string_view label, std::uint32_t device) {
    thread& here = this_thread();
    if (here.is_after_fence && here.last_fence.label == label && is_global(here.last_fence.device) &&
        is_global(device) && space_type(here.last_fence.device) != space_type(device))
      return std::nullopt;
    kind const what = is_tool_fence(label) ? kind::tool_fence : is_own_fence(label) ? kind::own_fence : kind::fence;
    record r = make(what, label, here);
    r.device = device;
    here.last_fence = r;
    here.is_after_fence = true;
    return r;
  }

  void push_region(std::string_view name) {
    thread& here = this_thread();
    here.open_copy.reset();
    if (here.regions.size() >= most_nested_regions) { // a pop is forgotten: paths would grow with every push
      here.regions.push_back(here.region());
      return;
    }
    std::string path(here.region());
    if (!here.regions.empty())
      path += '/';
    here.regions.push_back(keep(path.append(name)));
  }

  /// False where this thread has pushed none.
  bool pop_region() {
    thread& here = this_thread();
    here.open_copy.reset();
    if (here.regions.empty())
      return false;
    here.regions.pop_back();
    return true;
  }

  record allocate(std::string_view space, std::string_view label, void const* pointer, std::uint64_t bytes) {
    record r = make(kind::allocation, label, this_thread());
    r.space = keep(space);
    r.bytes_asked = bytes;
    if (pointer != nullptr)
      m_allocations.assign(pointer, bytes + m_header_bytes);
    return r;
  }

  record deallocate(std::string_view space, std::string_view label, void const* pointer, std::uint64_t bytes) {
    record r = make(kind::deallocation, label, this_thread());
    r.space = keep(space);
    r.bytes_asked = bytes;
    m_allocations.erase(pointer);
    m_stand_ins.erase(pointer, m_header_bytes + bytes);
    return r;
  }

  /// A copy that is under way is a failed one until its end comes.
  record begin_copy(copy_side const& to, copy_side const& from, std::uint64_t bytes, Note note) {
    thread& here = this_thread();
    record r = make(kind::copy, to.label, here);
    r.space = keep(to.space);
    r.source = keep(from.label);
    r.source_space = keep(from.space);
    r.bytes_asked = bytes;
    side const from_side = side_at(from);
    side const to_side = side_at(to);
    r.where = direction_of(from_side, to_side);
    bool const apart = from_side != to_side || (r.where == direction::unknown && r.space != r.source_space);
    if (to.data == nullptr || from.data == nullptr || bytes == 0)
      r.what = kind::empty_copy;
    else if (to.data == from.data)
      r.what = kind::alias;
    else if (from_side == side::host && is_scalar_label(from.label) && !m_allocations.holds(from.data))
      r.what = kind::fill;
    else if (apart)
      r.what = kind::transfer;
    here.open_copy = copy_under_way{r, std::move(note)};
    r.what = kind::failed_copy;
    return r;
  }

  /// This thread's copy, if one is under way.
  copy_under_way* open_copy() {
    thread& here = this_thread();
    return here.open_copy ? &*here.open_copy : nullptr;
  }

  /// Nothing where the copy's begin was another thread's, or before the first event here. Kokkos reports no end for one
  /// that threw: a copy that is still open where the next begins, or where a region does, has failed. Kernels and
  /// fences prove nothing, since copies have them too.
  std::optional<copy_under_way> end_copy() {
    std::optional<copy_under_way> ended = std::exchange(this_thread().open_copy, std::nullopt);
    if (!ended)
      return ended;
    record& r = ended->what;
    if (r.what == kind::transfer || r.what == kind::copy)
      r.bytes_moved = r.bytes_asked;
    if (r.what == kind::fill || r.what == kind::empty_copy)
      r.where = direction::none;
    return ended;
  }

  std::string_view region() { return this_thread().region(); }

private:
  struct thread {
    std::optional<copy_under_way> open_copy;
    record last_fence;
    bool is_after_fence = false;           // the last record of this thread is that fence
    std::vector<std::string_view> regions; // each with those around it: "solve/step"
    std::string_view region() const { return regions.empty() ? std::string_view{} : regions.back(); }
  };

  // Not thread_local: callbacks still come where a thread's own variables are gone.
  thread& this_thread() { return m_threads[std::this_thread::get_id()]; }

  record make(kind what, std::string_view label, thread& here) {
    here.is_after_fence = false;
    record r;
    r.what = what;
    r.label = keep(label);
    r.region = here.region();
    return r;
  }

  side side_at(copy_side const& at) const { return m_stand_ins.holds(at.data) ? side::device : side_of(at.space); }

  std::size_t m_header_bytes;
  std::unordered_map<std::thread::id, thread> m_threads;
  std::shared_ptr<label_pool> m_labels = std::make_shared<label_pool>();
  address_ranges m_allocations;
  address_ranges m_stand_ins;
};

} // namespace onetrip::detail
