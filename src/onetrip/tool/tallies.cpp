// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/tallies.hpp>

#include <functional>
#include <string_view>
#include <tuple>

namespace onetrip::tool {

namespace {

// Equal texts have equal addresses, so that none is read here.
auto key(record const& r) {
  return std::tuple(r.what, r.where, r.upper_bound, r.label.data(), r.source.data(), r.space.data(),
                    r.source_space.data(), r.region.data());
}

} // namespace

std::size_t tallies::hash::operator()(record const& r) const {
  std::size_t sum = static_cast<std::size_t>(r.what) * 64 + static_cast<std::size_t>(r.where) * 2 + r.upper_bound;
  for (std::string_view const text : {r.label, r.source, r.space, r.source_space, r.region})
    sum = (sum ^ reinterpret_cast<std::size_t>(text.data())) * 0x9e3779b97f4a7c15U;
  return sum ^ sum >> 32;
}

bool tallies::same::operator()(record const& a, record const& b) const { return key(a) == key(b); }

row& tallies::row_of(record const& r) {
  if (auto const found = m_row_of.find(r); found != m_row_of.end())
    return *found->second;
  record sort = r;
  if (m_rows.size() >= most_rows) {
    sort = {};
    sort.what = r.what;
    sort.where = r.where;
    sort.label = "(others)"; // one address, as every literal
    if (auto const found = m_row_of.find(sort); found != m_row_of.end())
      return *found->second;
  }
  m_rows.push_back({.what = sort});
  return *m_row_of.emplace(sort, &m_rows.back()).first->second;
}

void tallies::add(event const& e) {
  row& r = row_of(e.what);
  ++r.count;
  r.bytes += counted_bytes(e.what);
  r.seconds += e.end - e.begin;
  r.is_written = false;
}

} // namespace onetrip::tool
