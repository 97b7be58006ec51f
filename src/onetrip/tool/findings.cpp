// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/findings.hpp>

#include <onetrip/tool/findings_groups.hpp>
#include <onetrip/tool/findings_habits.hpp>
#include <onetrip/tool/findings_moves.hpp>

namespace onetrip::tool {

struct findings::parts {
  explicit parts(contents how) : moved(how, all), recurring(all) {}

  groups all;
  moves moved;
  habits recurring;
};

findings::findings(contents how) : m_parts(std::make_unique<parts>(how)) {}
findings::~findings() = default;

void findings::before_copy(event const& e) { m_parts->moved.before_copy(e); }

void findings::add(event const& e) {
  m_parts->moved.add(e);
  m_parts->recurring.add(e);
}

std::vector<finding> findings::so_far() const { return m_parts->all.findings(); }

std::string_view findings::problem() const {
  return m_parts->moved.is_forbidden()
             ? "contents are not compared: the system forbids process_vm_readv, by which they are read"
             : "";
}

} // namespace onetrip::tool
