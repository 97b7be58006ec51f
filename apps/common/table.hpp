// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace apps {

/// A table of text with aligned columns: the first to the left, the others to the right.
class table {
public:
  explicit table(std::vector<std::string> head) : m_rows{std::move(head)} {}

  /// Adds a row with as many cells as the head.
  void add(std::vector<std::string> row) { m_rows.push_back(std::move(row)); }

  friend std::ostream& operator<<(std::ostream& out, table const& self);

private:
  std::vector<std::vector<std::string>> m_rows;
};

/// A number that isn't negative in plain digits, `digits` of them significant: 1234, 12.34, 0.01234; 0 is 0.
std::string significant(double value, int digits = 4);

/// An error in two digits: 1.2e-16; 0 is 0.
std::string error_text(double error);

/// 2^K where it is a power of two from 2^10 on, else its digits.
std::string count_text(std::size_t value);

} // namespace apps
