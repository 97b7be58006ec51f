// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <heat1d/boundary.hpp>
#include <heat1d/initial.hpp>
#include <heat1d/serial.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace baselines {

/// A start state of any length with fixed ends and, bit for bit, its state after that many steps. The start repeats a
/// piece, so that a serial run of a few pieces tells the state of all cells: what lies farther from both ends than a
/// step's reach times the steps repeats, too.
template <class T>
class heat1d_answer {
public:
  static constexpr std::int64_t period = 4093; ///< a prime, so that no block or vector is in step with it

  heat1d_answer(std::size_t cells, std::int64_t steps, T r)
      : m_cells(static_cast<std::int64_t>(cells)), m_steps(steps) {
    std::int64_t const enough = 2 * steps + period;
    std::int64_t const pieces_left_out = std::max<std::int64_t>(0, (m_cells - enough) / period);
    m_serial_cells = m_cells - pieces_left_out * period;
    std::vector<T> const piece = heat1d::first_state<T>(heat1d::random_values{1}, period, heat1d::fixed_ends{});
    std::vector<T> start(static_cast<std::size_t>(m_serial_cells));
    for (std::size_t i = 0; i < start.size(); ++i)
      start[i] = piece[i % piece.size()];
    m_piece = to_device("bench::heat1d::piece", piece);
    m_end = to_device("bench::heat1d::end", heat1d::serial<T>(start, steps, r, heat1d::fixed_ends{}));
  }

  /// Cell i at the start.
  KOKKOS_FUNCTION T start(std::int64_t i) const { return m_piece(i % period); }

  /// Cell i after the steps.
  KOKKOS_FUNCTION T operator()(std::int64_t i) const {
    if (i < m_steps)
      return m_end(i);
    if (i >= m_cells - m_steps)
      return m_end(i - (m_cells - m_serial_cells));
    return m_end(m_steps + (i - m_steps) % period);
  }

private:
  using array = Kokkos::View<T*>;

  static array to_device(std::string const& label, std::vector<T> const& values) {
    array const made(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), values.size());
    Kokkos::deep_copy(made,
                      Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()));
    return made;
  }

  std::int64_t m_cells;
  std::int64_t m_steps;
  std::int64_t m_serial_cells;
  array m_piece;
  array m_end;
};

} // namespace baselines
