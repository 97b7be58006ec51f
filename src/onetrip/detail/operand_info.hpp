// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/label_text.hpp>
#include <onetrip/detail/overlap.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>

// What a plan has to know of a View, whatever its type: where it lies, how large, and its name for messages.

namespace onetrip::detail {

using extents = std::array<std::int64_t, max_rank>;

struct operand_info {
  std::int64_t address = 0;
  std::int64_t element = 0; ///< bytes
  int rank = 0;
  bool is_output = false;
  bool needs_temporary = false;
  std::type_info const* type = nullptr;
  // Filled as far as the rank, and no further: a plan is made for every launch.
  extents extent;
  extents stride;                    ///< in elements
  std::array<std::int64_t, 2> reach; ///< its first byte, and one past its last; equal where it has none

  void const* named = nullptr;
  std::string (*label_of)(void const*) = nullptr;

  std::string label() const { return label_text(label_of(named)); }
};

/// A list of known capacity, without an allocation.
template <class T, int Capacity>
struct few {
  std::array<T, Capacity> items;
  int count = 0;

  T& add() { return items[static_cast<std::size_t>(count++)]; }
  std::span<T> all() { return {items.data(), static_cast<std::size_t>(count)}; }
};

/// `named`: what gives the View's label, for as long as the description is used.
template <class View, class Named>
void describe(operand_info& info, View const& view, Named const& named, bool is_output) {
  info.address = reinterpret_cast<std::int64_t>(view.data());
  info.element = sizeof(typename View::value_type);
  info.rank = static_cast<int>(View::rank());
  info.is_output = is_output;
  info.needs_temporary = false;
  info.type = &typeid(typename View::non_const_value_type);
  for (int d = 0; d < info.rank; ++d) {
    info.extent[d] = static_cast<std::int64_t>(view.extent(d));
    info.stride[d] = static_cast<std::int64_t>(view.stride(d));
  }
  info.named = &named;
  info.label_of = [](void const* n) { return std::string(static_cast<Named const*>(n)->label()); };
}

inline bool same_shape(int rank, extents const& a, extents const& b) {
  return std::equal(a.begin(), a.begin() + rank, b.begin());
}

/// Whether two operands have every element at the same place. (A View of rank 0 is read as a scalar, not with its
/// element.)
inline bool same_elements(int rank, extents const& extent, operand_info const& a, operand_info const& b) {
  if (a.address != b.address || *a.type != *b.type || (a.rank == 0) != (b.rank == 0))
    return false;
  for (int d = 0; d < rank; ++d)
    if (a.stride[d] != b.stride[d] && extent[d] != 1)
      return false;
  return true;
}

/// "3 x 4", "scalar"
inline std::string shape_text(int rank, extents const& extent) {
  if (rank == 0)
    return "scalar";
  std::string text = std::to_string(extent[0]);
  for (int d = 1; d < rank; ++d)
    text += " x " + std::to_string(extent[d]);
  return text;
}

} // namespace onetrip::detail
