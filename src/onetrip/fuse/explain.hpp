// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/group.hpp>
#include <onetrip/fuse/fuse.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace onetrip {

/// What a call would do.
struct explanation {
  int kernels = 0;                ///< with those that make temporaries
  std::int64_t bytes_read = 0;    ///< a View that is read twice counts once
  std::int64_t bytes_written = 0; ///< temporaries and results of reductions too
  std::int64_t temporary_bytes = 0;
  bool waits = false; ///< for a result of the host's: one fence
  std::string text;   ///< all of it for people, a line for each operand

  friend std::ostream& operator<<(std::ostream& to, explanation const& e) { return to << e.text; }
};

namespace detail {

/// How a kernel sees an operand: strides, alignment, whether an earlier statement has it, of which no more is known
/// here.
struct operand_access {
  std::int64_t stride = 0; ///< of the innermost loop
  bool aligned = false;
  int twin = -1;
};

class explainer {
public:
  explainer(std::string const& space, bool on_host, int lanes, loop_nest const& nest,
            std::span<operand_info const> operands)
      : m_on_host(on_host), m_lanes(lanes), m_nest(nest), m_operands(operands) {
    m_made.kernels = 1;
    m_lines.push_back("on " + space + ", " + loops());
  }

  void operand(std::size_t index, operand_access const& how) {
    operand_info const& o = m_operands[index];
    std::string line =
        std::string(o.is_output ? "  writes " : "  reads  ") + o.label() + " (" + shape_text(o.rank, o.extent) + "), ";
    if (o.is_output) {
      m_made.bytes_written += bytes(o);
      line += bytes_text(bytes(o)) + ", " + mode(o, how);
    } else if (how.twin >= 0) {
      line += "0 bytes, from statement " + std::to_string(how.twin + 1);
    } else if (was_read(index)) {
      line += "0 bytes, read above";
    } else {
      m_made.bytes_read += bytes(o);
      if (o.needs_temporary)
        temporary(o);
      line += bytes_text(bytes(o)) + ", " + mode(o, how);
    }
    m_lines.push_back(line);
  }

  void result(std::string const& where, std::int64_t bytes, bool of_host) {
    m_made.bytes_written += bytes;
    m_made.waits |= of_host;
    m_lines.push_back("  reduces to " + where + ", " + bytes_text(bytes) + (of_host ? ", and waits for it" : ""));
  }

  explanation done() {
    std::string& text = m_made.text;
    text = std::to_string(m_made.kernels) + (m_made.kernels == 1 ? " kernel, " : " kernels, ") +
           bytes_text(m_made.bytes_read) + " read, " + bytes_text(m_made.bytes_written) + " written";
    if (m_made.temporary_bytes > 0)
      text += ", " + bytes_text(m_made.temporary_bytes) + " of temporaries";
    text += "\n";
    for (std::string const& line : m_lines)
      text += line + "\n";
    return m_made;
  }

private:
  static std::string bytes_text(std::int64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

  std::string loops() const {
    std::string text = std::to_string(m_nest.rank) + (m_nest.rank == 1 ? " loop: " : " loops: ");
    return m_nest.rank == 0 ? "one element" : text + shape_text(m_nest.rank, m_nest.extent);
  }

  std::int64_t bytes(operand_info const& o) const {
    std::int64_t n = o.element;
    for (int k = 0; k < m_nest.rank; ++k)
      n *= o.stride[k] != 0 || m_nest.extent[k] == 0 ? m_nest.extent[k] : 1;
    return n;
  }

  bool was_read(std::size_t index) const {
    return std::any_of(m_operands.begin(), m_operands.begin() + static_cast<std::ptrdiff_t>(index), [&](auto const& o) {
      return !o.is_output && same_elements(m_nest.rank, m_nest.extent, o, m_operands[index]);
    });
  }

  std::string mode(operand_info const& o, operand_access const& how) const {
    if (o.needs_temporary)
      return "from a temporary, since it shares memory with what is written";
    if (o.rank == 0)
      return "one value";
    if (how.stride == 0)
      return "one value a row";
    if (how.stride != 1)
      return (m_on_host ? "gathered: stride " : "element by element: stride ") + std::to_string(how.stride);
    if (m_on_host)
      return "contiguous";
    if (m_lanes == 1)
      return "element by element";
    return how.aligned ? std::to_string(chunk_alignment(o.element, m_lanes)) + " bytes at a time"
                       : "element by element: not aligned like " + m_operands.front().label();
  }

  void temporary(operand_info const& o) {
    ++m_made.kernels;
    m_made.bytes_read += bytes(o);
    m_made.bytes_written += bytes(o);
    m_made.temporary_bytes += bytes(o);
  }

  bool m_on_host;
  int m_lanes;
  loop_nest const& m_nest;
  std::span<operand_info const> m_operands;
  explanation m_made;
  std::vector<std::string> m_lines;
};

template <class S>
void explain_result([[maybe_unused]] explainer& to, [[maybe_unused]] S const& s) {
  if constexpr (is_reduction<S>) {
    if constexpr (goes_to_host<S>)
      to.result("a variable of the host's", sizeof(*s.result), true);
    else
      to.result(label_text(s.result.label()), sizeof(typename decltype(s.result)::value_type), false);
  }
}

template <class Options, class ExecutionSpace, class... S>
explanation explain_hoisted(S const&... statements) {
  using traits = kernel_traits<Options, ExecutionSpace, S...>;
  using types = leaf_types<pack<S...>>;
  collected_from<ExecutionSpace, S...> found(statements...);
  planner plan = found.plan("onetrip::explain", rules_of<Options>);
  plan.require_rank(types::indices);
  loop_nest const nest = plan.loops(types::indices > 0);
  explainer made(ExecutionSpace::name(), traits::on_host, traits::lanes, nest, plan.operands());
  with_outer_loops<types::largest_rank>(nest, [&]<int Outer>(std::integral_constant<int, Outer>) {
    chunk_grid<Outer> const grid = grid_of<traits, Outer>(plan, nest);
    for (std::size_t s = 0; s < plan.statements().size(); ++s)
      for (int i = plan.statements()[s].first; i < plan.statements()[s].last; ++i) {
        auto const index = static_cast<std::size_t>(i);
        auto const how = access_of<Outer>(plan.operands()[index], static_cast<int>(s), plan.operands(),
                                          plan.statements(), nest, traits::lanes, grid.shift);
        made.operand(index, {how.stride[Outer], how.aligned, how.twin});
      }
  });
  (explain_result(made, statements), ...);
  return made.done();
}

} // namespace detail

/// What `fuse` would do with these, on this instance: kernels, bytes, and for each operand how it is read or written
/// and why. Runs nothing, allocates nothing on the device. Throws as `fuse` does.
template <execution_space ExecutionSpace, unsigned Flags, statement... S>
  requires(sizeof...(S) > 0)
explanation explain(ExecutionSpace const&, fuse_options<Flags>, S const&... statements) {
  return detail::with_names_hoisted(
      [](auto const&... s) { return detail::explain_hoisted<fuse_options<Flags>, ExecutionSpace>(s...); },
      statements...);
}
template <execution_space ExecutionSpace, statement... S>
  requires(sizeof...(S) > 0)
explanation explain(ExecutionSpace const& exec, S const&... statements) {
  return explain(exec, fuse_options<0>(), statements...);
}

} // namespace onetrip
