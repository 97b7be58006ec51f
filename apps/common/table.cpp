// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/table.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace apps {

std::ostream& operator<<(std::ostream& out, table const& self) {
  std::vector<std::size_t> widths(self.m_rows.front().size(), 0);
  for (auto const& row : self.m_rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  for (auto const& row : self.m_rows) {
    for (std::size_t column = 0; column < row.size(); ++column)
      out << (column == 0 ? std::left : std::right)
          << std::setw(static_cast<int>(widths[column] + (column == 0 ? 0 : 2))) << row[column];
    out << '\n';
  }
  return out;
}

std::string significant(double value, int digits) {
  if (value == 0)
    return "0";
  int const before_point = static_cast<int>(std::floor(std::log10(value))) + 1;
  std::ostringstream text;
  text << std::fixed << std::setprecision(std::max(0, digits - before_point)) << value;
  return text.str();
}

std::string error_text(double error) {
  std::ostringstream text;
  text.precision(2);
  text << error;
  return text.str();
}

std::string count_text(std::size_t value) {
  bool const power = value >= 1024 && std::has_single_bit(value);
  return power ? "2^" + std::to_string(std::countr_zero(value)) : std::to_string(value);
}

} // namespace apps
