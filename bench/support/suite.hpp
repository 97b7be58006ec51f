// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/row.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The rows of a benchmark program, registered with Google Benchmark as `program/case/variant/type/size`.
class suite {
public:
  /// Slow rows take fewer repetitions than the usual where `fewer_of_slow`.
  suite(std::string program, bool fewer_of_slow) : m_program(std::move(program)), m_fewer_of_slow(fewer_of_slow) {}

  suite(suite const&) = delete;
  suite& operator=(suite const&) = delete;

  ~suite() { release(); }

  /// Adds the rows of one type and size. `outline` has their names; `make` makes the same rows on arrays, which live
  /// from the first of them that runs to the first of another set. What it makes after these is only compared with.
  void add(std::string const& type, std::size_t size, std::vector<row> const& outline,
           std::function<std::vector<row>()> make);

  /// The first wrong answer.
  std::optional<std::string> const& failure() const { return m_failure; }

private:
  struct live_row;
  struct row_set;

  void release();
  void repeat(benchmark::State& state, std::shared_ptr<row_set> const& set, std::size_t index);

  std::string m_program;
  bool m_fewer_of_slow;
  std::shared_ptr<row_set> m_live;
  std::optional<std::string> m_failure;
};

} // namespace bench
