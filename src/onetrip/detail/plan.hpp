// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/operand_info.hpp>
#include <onetrip/detail/targets.hpp>
#include <onetrip/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

// From the operands of a group of statements to one loop nest that serves them all: shapes, aliases, canonical form.

namespace onetrip::detail {

/// The operands of a statement, from `first` up to, not including, `last`. A store's first is its output.
struct statement_info {
  int first = 0;
  int last = 0;
  statement_kind kind = statement_kind::store;
  std::uint64_t uses = 0; ///< bit k: what statement k has computed under a name
};

/// What becomes of memory that operands share.
struct alias_rules {
  bool assume_disjoint = false; ///< what is not proved
  bool allow_temporary = false; ///< of an input: it is marked
};

/// The loop nest of a group: dimensions outermost first.
struct loop_nest {
  int rank = 0;
  extents extent{};
  extents position{}; ///< of each dimension of the shape: its loop; -1: none, its index is always 0
};

class planner {
public:
  /// `results`: the Views of rank 0 that reductions write. Throws `shape_error` and `alias_error`.
  planner(char const* who, alias_rules rules, std::span<operand_info> operands,
          std::span<statement_info const> statements, std::span<operand_info const> results)
      : m_who(who), m_rules(rules), m_operands(operands), m_statements(statements) {
    find_shape();
    broadcast();
    check_outputs();
    check_inputs();
    check_results(results);
  }

  /// For `index<rank - 1>()`. Throws `shape_error`.
  void require_rank(int rank) const {
    if (m_rank < rank)
      wrong_shape("index<" + std::to_string(rank - 1) + ">() is asked for, and the shape is " +
                  shape_text(m_rank, m_extent));
  }

  /// The fewest loops in which every operand has one stride a loop, the outputs' smallest stride innermost. Where
  /// indices are asked for, dimensions stay apart.
  loop_nest loops(bool with_indices) {
    loop_nest nest;
    nest.position.fill(-1);
    if (std::find(m_extent.begin(), m_extent.begin() + m_rank, 0) != m_extent.begin() + m_rank) {
      nest.rank = 1; // of extent 0
      return nest;
    }
    std::array<std::pair<std::int64_t, std::int64_t>, max_rank> key{};
    std::array<int, max_rank> order{};
    for (int d = 0; d < m_rank; ++d) {
      if (m_extent[d] == 1)
        continue;
      for (operand_info const& o : m_operands) {
        std::int64_t const bytes = o.stride[d] * o.element;
        key[d].first += o.is_output ? bytes : 0;
        key[d].second += bytes;
      }
      order[nest.rank++] = d;
    }
    sort_few(order, nest.rank, [&](int a, int b) { return key[a] > key[b]; });
    for (operand_info& o : m_operands) {
      extents sorted{};
      for (int k = 0; k < nest.rank; ++k)
        sorted[k] = o.stride[order[k]];
      o.stride = sorted;
    }
    for (int k = 0; k < nest.rank; ++k) {
      nest.extent[k] = m_extent[order[k]];
      nest.position[order[k]] = k;
    }
    if (!with_indices)
      merge(nest);
    return nest;
  }

  /// Whether operands are marked, as the rules allow.
  bool needs_temporaries() const {
    return std::any_of(m_operands.begin(), m_operands.end(), [](operand_info const& o) { return o.needs_temporary; });
  }

  /// With strides by loop, once `loops` has been called.
  std::span<operand_info const> operands() const { return m_operands; }
  std::span<statement_info const> statements() const { return m_statements; }

private:
  [[noreturn]] void wrong_shape(std::string const& what) const { throw shape_error(std::string(m_who) + ": " + what); }

  static std::string named(operand_info const& o) { return o.label() + " (" + shape_text(o.rank, o.extent) + ")"; }

  void find_shape() {
    for (statement_info const& s : m_statements) {
      if (s.kind != statement_kind::store)
        continue;
      operand_info const& o = m_operands[s.first];
      if (m_output != nullptr && (o.rank != m_output->rank || !same_shape(o.rank, o.extent, m_output->extent)))
        wrong_shape("outputs " + named(*m_output) + " and " + named(o) + " must have the same shape");
      if (m_output == nullptr)
        m_output = &o;
    }
    if (m_output != nullptr) {
      m_rank = m_output->rank;
      std::copy_n(m_output->extent.begin(), m_rank, m_extent.begin());
    } else {
      find_common_shape();
    }
  }

  /// Of reductions alone: the shape that all their operands stretch to.
  void find_common_shape() {
    for (operand_info const& o : m_operands)
      m_rank = std::max(m_rank, o.rank);
    std::fill_n(m_extent.begin(), m_rank, 1);
    operand_info const* largest = nullptr;
    for (operand_info const& o : m_operands)
      for (int d = 0; d < o.rank; ++d) {
        std::int64_t& extent = m_extent[m_rank - o.rank + d];
        if (o.extent[d] == 1 || o.extent[d] == extent)
          continue;
        if (extent != 1)
          wrong_shape(named(*largest) + " and " + named(o) + " don't fit: an extent must be the same, or 1");
        extent = o.extent[d];
        largest = &o;
      }
  }

  std::string shape_of_group() const { return m_output != nullptr ? named(*m_output) : shape_text(m_rank, m_extent); }

  void broadcast() {
    std::uint64_t of_full_shape = 0; // bit k: statement k
    std::uint64_t bit = 1;
    for (statement_info const& s : m_statements) {
      bool has_full_shape = s.kind == statement_kind::store || (s.uses & of_full_shape) != 0;
      for (int i = s.first; i < s.last; ++i) {
        operand_info& o = m_operands[i];
        has_full_shape |= (o.rank == m_rank && same_shape(m_rank, o.extent, m_extent));
        broadcast(o);
      }
      of_full_shape |= has_full_shape ? bit : 0;
      bit <<= 1;
      if (!has_full_shape && s.kind == statement_kind::reduction)
        wrong_shape("a reduction has no operand of the group's full shape, " + shape_of_group() +
                    ": its value would count once for every element");
    }
  }

  void broadcast(operand_info& o) const {
    bool fits = o.rank <= m_rank;
    extents stride{};
    int const missing = m_rank - o.rank;
    for (int d = 0; fits && d < o.rank; ++d) {
      fits = o.extent[d] == m_extent[missing + d] || o.extent[d] == 1;
      stride[missing + d] = o.extent[d] == 1 ? 0 : o.stride[d];
    }
    if (!fits)
      wrong_shape(named(o) + " does not fit " + shape_of_group() +
                  ": from the last dimension on, each extent must be the same, or 1");
    o.stride = stride;
    o.reach = {o.address, o.address + o.element};
    for (int d = 0; d < m_rank; ++d) {
      if (m_extent[d] == 0)
        o.reach[1] = o.reach[0];
      else
        o.reach[1] += (m_extent[d] - 1) * stride[d] * o.element;
    }
  }

  byte_set bytes_of(operand_info const& o) const {
    byte_set set{o.address, o.element, m_rank, m_extent, {}};
    for (int d = 0; d < m_rank; ++d)
      set.stride[d] = o.stride[d] * o.element;
    return set;
  }

  meeting meet(operand_info const& a, operand_info const& b) const {
    if (a.reach[1] <= b.reach[0] || b.reach[1] <= a.reach[0])
      return meeting::none;
    return known(overlap(bytes_of(a), bytes_of(b)));
  }

  meeting known(meeting found) const {
    return found == meeting::not_known && m_rules.assume_disjoint ? meeting::none : found;
  }

  [[noreturn]] void wrong_alias(operand_info const& a, operand_info const& b, meeting found) const {
    std::string const both = named(a) + " and " + named(b);
    if (found == meeting::not_known)
      throw alias_error(
          std::string(m_who) + ": " + both +
          " are not proved to lie apart in memory, and one of them is written (assume_disjoint, if they do)");
    throw alias_error(std::string(m_who) + ": " + both +
                      (b.is_output ? " are both written, and share memory"
                                   : " are written and read, and share memory other than element by element"));
  }

  void check_outputs() const {
    for (auto a = m_operands.begin(); a != m_operands.end(); ++a) {
      if (!a->is_output)
        continue;
      if (meeting const found = known(overlaps_itself(bytes_of(*a))); found != meeting::none)
        throw alias_error(std::string(m_who) + ": " + named(*a) + " is written, and its elements " +
                          (found == meeting::some
                               ? "share memory with each other"
                               : "are not proved to lie apart in memory (assume_disjoint, if they do)"));
      for (auto b = a + 1; b != m_operands.end(); ++b)
        if (b->is_output)
          if (meeting const found = meet(*a, *b); found != meeting::none)
            wrong_alias(*a, *b, found);
    }
  }

  void check_inputs() {
    for (operand_info const& out : m_operands) {
      if (!out.is_output)
        continue;
      for (operand_info& in : m_operands) {
        if (in.is_output || same_elements(m_rank, m_extent, out, in))
          continue;
        if (meeting const found = meet(out, in); found != meeting::none) {
          if (!m_rules.allow_temporary)
            wrong_alias(out, in, found);
          in.needs_temporary = true;
        }
      }
    }
  }

  void check_results(std::span<operand_info const> results) const {
    for (auto r = results.begin(); r != results.end(); ++r) {
      byte_set const result{r->address, r->element, 0, {}, {}};
      for (operand_info const& o : m_operands)
        if (overlap(result, bytes_of(o)) != meeting::none)
          throw alias_error(std::string(m_who) + ": " + named(*r) +
                            " takes a reduction's result and shares memory with " + named(o) +
                            " of the same group: the result is there only when the group is done");
      for (auto other = r + 1; other != results.end(); ++other)
        if (overlap(result, {other->address, other->element, 0, {}, {}}) != meeting::none)
          throw alias_error(std::string(m_who) + ": " + named(*r) + " and " + named(*other) +
                            " take reductions' results and share memory");
    }
  }

  void merge(loop_nest& nest) {
    int merged = 0;
    for (int k = 1; k < nest.rank; ++k) {
      bool const fits = std::all_of(m_operands.begin(), m_operands.end(), [&](operand_info const& o) {
        return o.stride[merged] == o.stride[k] * nest.extent[k];
      });
      if (fits) {
        nest.extent[merged] *= nest.extent[k];
      } else {
        ++merged;
        nest.extent[merged] = nest.extent[k];
      }
      for (operand_info& o : m_operands)
        o.stride[merged] = o.stride[k];
    }
    nest.rank = std::min(nest.rank, merged + 1);
  }

  char const* m_who;
  alias_rules m_rules;
  std::span<operand_info> m_operands;
  std::span<statement_info const> m_statements;
  int m_rank = 0;
  extents m_extent{};
  operand_info const* m_output = nullptr; ///< the first
};

} // namespace onetrip::detail
