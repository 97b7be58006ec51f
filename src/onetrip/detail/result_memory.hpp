// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/process_state.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

// Memory for results on their way: kept for the next call, freed when Kokkos is finalized.

namespace onetrip::detail {

inline constexpr std::size_t slot_bytes = 4096;
inline constexpr std::size_t result_bytes = 16; ///< that a result has in a slot

/// Slots that kernels write and the host reads without a copy.
class [[gnu::visibility("default")]] result_slots {
public:
  std::byte* take() {
    std::lock_guard const lock(m_mutex);
    if (m_free.empty()) {
      if (!m_ends_with_kokkos)
        Kokkos::push_finalize_hook([] { process_state<result_slots>().free_all(); });
      m_ends_with_kokkos = true;
      m_free.push_back(static_cast<std::byte*>(
          Kokkos::kokkos_malloc<Kokkos::SharedHostPinnedSpace>("onetrip::fuse::results", slot_bytes)));
    }
    std::byte* const slot = m_free.back();
    m_free.pop_back();
    return slot;
  }
  void give_back(std::byte* slot) {
    std::lock_guard const lock(m_mutex);
    m_free.push_back(slot);
  }

private:
  void free_all() {
    for (std::byte* slot : m_free)
      Kokkos::kokkos_free<Kokkos::SharedHostPinnedSpace>(slot);
    m_free.clear();
  }

  std::mutex m_mutex;
  std::vector<std::byte*> m_free;
  bool m_ends_with_kokkos = false;
};

/// A slot for the time of a call.
class slot_of_call {
public:
  slot_of_call() : m_slot(process_state<result_slots>().take()) {}
  ~slot_of_call() { process_state<result_slots>().give_back(m_slot); }
  slot_of_call(slot_of_call const&) = delete;
  slot_of_call& operator=(slot_of_call const&) = delete;
  std::byte* data() const { return m_slot; }

private:
  std::byte* m_slot;
};

/// Zeroed memory of each instance of an execution space, whose kernels run one after the other.
template <class ExecutionSpace>
class [[gnu::visibility("default")]] memory_of_instances {
public:
  std::byte* at_least(std::size_t bytes, ExecutionSpace const& exec) {
    std::lock_guard const lock(m_mutex);
    if (m_memory.empty())
      Kokkos::push_finalize_hook([] { process_state<memory_of_instances>().free_all(); });
    memory& mine = m_memory[Kokkos::Tools::Experimental::device_id(exec)];
    if (mine.size() < bytes)
      mine = memory(Kokkos::view_alloc(exec, "onetrip::fuse::partial_results"), bytes);
    return mine.data();
  }

private:
  using memory = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;

  void free_all() {
    std::lock_guard const lock(m_mutex);
    m_memory.clear();
  }

  std::mutex m_mutex;
  std::map<std::uint32_t, memory> m_memory;
};

} // namespace onetrip::detail
