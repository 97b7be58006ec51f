// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/host_alive.hpp>
#include <onetrip/detail/present_table.hpp>
#include <onetrip/detail/strided_copy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

// `distinct` on the host's side: from the first write on the device on, the host's values are out of date and so
// poison, until something copies them back. Where nothing will, the values from before come back.

namespace onetrip::detail {

template <class F>
void for_each_element(mapped_view const& view, F const& f) {
  byte_runs const runs = view.runs();
  runs.for_each([&](std::size_t offset) {
    for (std::size_t i = 0; i < runs.run; i += view.element)
      f(offset + i);
  });
}

inline bool is_poison(std::byte const* element, std::size_t offset, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    if (element[i] != std::byte{poison_at(static_cast<std::int64_t>(offset + i))})
      return false;
  return true;
}

/// Before each access that may write on the device.
inline void poison_host(entry& e) {
  if (!e.distinct || !e.copies_back)
    return;
  bool const is_first = e.saved.empty();
  e.saved.resize(e.view.span);
  for_each_element(e.view, [&](std::size_t offset) {
    std::byte* const element = e.view.data + offset;
    if (is_first || !is_poison(element, offset, e.view.element)) // brought by an update, or written since
      std::memcpy(&e.saved[offset], element, e.view.element);
    for (std::size_t i = 0; i < e.view.element; ++i)
      element[i] = std::byte{poison_at(static_cast<std::int64_t>(offset + i))};
  });
}

/// Where nothing will be copied back.
inline void restore_host(entry& e) {
  if (e.saved.empty() || !is_alive(e.view))
    return;
  for_each_element(e.view, [&](std::size_t offset) {
    std::byte* const element = e.view.data + offset;
    if (is_poison(element, offset, e.view.element))
      std::memcpy(element, &e.saved[offset], e.view.element);
  });
}

} // namespace onetrip::detail
