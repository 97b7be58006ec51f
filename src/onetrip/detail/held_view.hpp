// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <string>

namespace onetrip::detail {

/// A View whose memory stays alive and whose moves cost nothing: those of a View count references, in Kokkos 4 each
/// time, and an expression of dozens of operations moves its Views dozens of times (1.2 us of a launch's 5 before
/// this).
template <class View>
class held_view {
public:
  using untracked = Kokkos::View<typename View::data_type, typename View::array_layout, typename View::device_type,
                                 Kokkos::MemoryUnmanaged>;

  explicit held_view(View const& view) : m_view(view), m_memory(view.impl_track()) {}

  untracked const& view() const { return m_view; }
  std::string label() const { return m_memory.template get_label<typename View::memory_space>(); }

private:
  untracked m_view;
  Kokkos::Impl::SharedAllocationTracker m_memory;
};

} // namespace onetrip::detail
