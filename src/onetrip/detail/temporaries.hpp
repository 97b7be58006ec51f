// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/operand_info.hpp>
#include <onetrip/fuse/statement.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace onetrip::detail {

template <class T, std::size_t Rank>
struct with_pointers {
  using type = typename with_pointers<T*, Rank - 1>::type;
};
template <class T>
struct with_pointers<T, 0> {
  using type = T;
};

/// Copies of operands that share memory with what is written (`allow_temporary`): an allocation and a kernel each; when
/// it goes, Kokkos fences and frees.
template <class ExecutionSpace, class Copy>
class temporaries {
public:
  /// Copies the operands that a plan has marked. `copy(to, from)` runs `to = from`.
  template <class... S>
  temporaries(ExecutionSpace const& exec, std::span<operand_info const> planned, Copy const& copy,
              S const&... statements)
      : m_exec(exec), m_planned(planned), m_copy(copy) {
    (visit(statements), ...);
  }

  /// Puts the copies in the place of what they are copies of, in operands as collected.
  void replace(std::span<operand_info> operands) const {
    for (auto const& [index, data] : m_copies) {
      operand_info& o = operands[index];
      o.address = data;
      std::int64_t stride = 1;
      for (int d = o.rank; d-- > 0;) {
        o.stride[d] = stride;
        stride *= o.extent[d];
      }
    }
  }

  template <class View>
  void operator()(operand<View> const& x) {
    std::size_t const index = m_next++;
    if (!m_planned[index].needs_temporary)
      return;
    for (auto const& made : m_copies)
      if (operand_info const& other = m_planned[made.index];
          other.rank == m_planned[index].rank && same_shape(other.rank, other.extent, m_planned[index].extent) &&
          other.address == m_planned[index].address && other.stride == m_planned[index].stride &&
          *other.type == *m_planned[index].type) {
        m_copies.push_back({index, made.data});
        return;
      }
    using value_type = typename View::non_const_value_type;
    auto const& from = x.held.view();
    Kokkos::LayoutRight layout;
    for (std::size_t d = 0; d < View::rank(); ++d)
      layout.dimension[d] = from.extent(d);
    memory const& bytes =
        m_memory.emplace_back(Kokkos::view_alloc(m_exec, Kokkos::WithoutInitializing, "onetrip::fuse::temporary"),
                              from.size() * sizeof(value_type));
    m_copies.push_back({index, reinterpret_cast<std::int64_t>(bytes.data())});
    Kokkos::View<typename with_pointers<value_type, View::rank()>::type, Kokkos::LayoutRight,
                 typename ExecutionSpace::memory_space, Kokkos::MemoryUnmanaged> const
        to(reinterpret_cast<value_type*>(bytes.data()), layout);
    m_copy(store(to, in(from)));
  }
  template <class Leaf>
  void operator()(Leaf const&) {}

private:
  using memory = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;
  struct copied {
    std::size_t index;
    std::int64_t data;
  };

  template <class S>
  void visit(S const& statement) {
    m_next += is_store<S> ? 1 : 0; // its output
    for_each_leaf(statement.value, *this);
  }

  ExecutionSpace const& m_exec;
  std::span<operand_info const> m_planned;
  Copy const& m_copy;
  std::size_t m_next = 0;
  std::vector<memory> m_memory;
  std::vector<copied> m_copies;
};

} // namespace onetrip::detail
