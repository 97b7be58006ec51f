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
#include <string>

// What a present table has to know of a View, whatever its type: the bytes that its elements lie at.

namespace onetrip::detail {

struct dimension {
  std::size_t extent = 1;
  std::size_t stride = 0; ///< bytes
  friend bool operator==(dimension const&, dimension const&) = default;
};

/// Equally long runs of bytes, in the order of their addresses.
struct byte_runs {
  std::size_t run = 0;             ///< bytes
  int rank = 0;                    ///< 0: one run
  std::array<dimension, 8> dims{}; ///< outermost first

  /// `f(offset)` for each run.
  template <class F>
  void for_each(F const& f) const {
    for_each_row([&](std::size_t offset, std::size_t count, std::size_t stride) {
      for (std::size_t i = 0; i < count; ++i)
        f(offset + i * stride);
    });
  }

  /// `f(offset, count, stride)` for each of the innermost dimensions' rows of runs.
  template <class F>
  void for_each_row(F const& f) const {
    rank == 0 ? f(0, 1, 0) : visit(0, 0, f);
  }

private:
  template <class F>
  void visit(int d, std::size_t offset, F const& f) const {
    if (d == rank - 1)
      return f(offset, dims[d].extent, dims[d].stride);
    for (std::size_t i = 0; i < dims[d].extent; ++i)
      visit(d + 1, offset + i * dims[d].stride, f);
  }
};

struct mapped_view {
  std::byte* data = nullptr;
  std::size_t element = 0; ///< bytes
  std::size_t span = 0;    ///< bytes from the first element's first to the last one's last
  std::size_t bytes = 0;   ///< of all elements
  int rank = 0;
  std::array<dimension, 8> dims{}; ///< those of an extent other than 1
  char const* space = nullptr;     ///< name of its memory space

  mapped_view() = default;

  template <class View>
  explicit mapped_view(View const& view)
      : // the table keeps no const: clauses check it
        data(reinterpret_cast<std::byte*>(const_cast<typename View::non_const_value_type*>(view.data()))),
        element(sizeof(typename View::value_type)), span(element), bytes(element), space(View::memory_space::name()) {
    for (std::size_t d = 0; d < View::rank(); ++d) {
      std::size_t const extent = view.extent(d), stride = view.stride(d) * element;
      bytes *= extent;
      span += (extent - 1) * stride;
      if (extent != 1)
        dims[static_cast<std::size_t>(rank++)] = {extent, stride};
    }
    if (data == nullptr || bytes == 0)
      span = bytes = 0;
  }

  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(data); }
  std::uintptr_t end() const { return begin() + span; }
  bool empty() const { return bytes == 0; }

  bool same_elements(mapped_view const& other) const {
    return data == other.data && element == other.element && rank == other.rank &&
           std::equal(dims.begin(), dims.begin() + rank, other.dims.begin());
  }

  byte_runs runs() const {
    byte_runs found{element, rank, dims};
    sort_few(found.dims, rank, [](dimension const& a, dimension const& b) { return a.stride > b.stride; });
    int kept = 0; // merge each with the one inside it where there is no gap between
    for (int d = 0; d < rank; ++d) {
      dimension const inner = found.dims[d];
      if (kept > 0 && found.dims[kept - 1].stride == inner.extent * inner.stride)
        found.dims[kept - 1] = {found.dims[kept - 1].extent * inner.extent, inner.stride};
      else
        found.dims[kept++] = inner;
    }
    if (kept > 0 && found.dims[kept - 1].stride == element)
      found.run = element * found.dims[--kept].extent;
    found.rank = kept;
    return found;
  }

  /// Whether each of `part`'s elements, which lie within the span, is one of these.
  bool holds(mapped_view const& part) const {
    byte_runs const whole = runs();
    if (whole.rank == 0)
      return (part.begin() - begin()) % element == 0;
    // Each step of the part is so many of each dimension's, and the last element's position is still within.
    std::array<std::size_t, 9> last{};
    auto const add = [&](std::size_t offset, std::size_t times) {
      for (int d = 0; d < whole.rank; ++d)
        if (std::size_t const stride = whole.dims[d].stride; stride != 0) {
          last[d] += times * (offset / stride);
          offset %= stride;
        }
      last[8] += times * offset;
      return offset % element == 0;
    };
    bool inside = add(part.begin() - begin(), 1);
    for (int d = 0; d < part.rank; ++d)
      inside = add(part.dims[d].stride, part.dims[d].extent - 1) && inside;
    for (int d = 0; d < whole.rank; ++d)
      inside = inside && last[d] < whole.dims[d].extent;
    return inside && last[8] + element <= whole.run;
  }
};

/// "0x1f00"
inline std::string address_text(std::uintptr_t address) {
  std::string text;
  for (; address != 0; address /= 16)
    text.insert(text.begin(), "0123456789abcdef"[address % 16]);
  return "0x" + (text.empty() ? "0" : text);
}

/// "'u' (80 bytes at 0x1f00)"
inline std::string text_of(std::string const& label, mapped_view const& view) {
  return label_text(label) + " (" + std::to_string(view.bytes) + " bytes at " + address_text(view.begin()) + ")";
}

} // namespace onetrip::detail
