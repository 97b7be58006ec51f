// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/findings_groups.hpp>

#include <onetrip/tool/stacks.hpp>

#include <algorithm>

namespace onetrip::tool {

std::size_t groups::hash::operator()(key const& k) const {
  auto const& [which, label, source, space, source_space, bytes] = k;
  std::size_t const texts =
      hash_of(hash_of(address(label), address(source)), hash_of(address(space), address(source_space)));
  return hash_of(texts, bytes * 16 + static_cast<std::size_t>(which));
}

group& groups::of(rule which, record const& example) {
  // Sizes tell Views apart that are made over and over; regions, loops. Arrays whose handles are swapped go by the
  // host's.
  bool const is_run = which == rule::tiny;
  std::size_t const more = which == rule::churn  ? example.bytes_asked
                           : which == rule::sync ? address(example.region.data())
                           : is_run ? address(example.region.data()) * 8 + static_cast<std::size_t>(example.where)
                                    : 0;
  key const k{which,
              is_run || which == rule::trip ? nullptr : example.label.data(),
              is_run ? nullptr : example.source.data(),
              example.space.data(),
              example.source_space.data(),
              more};
  if (auto const found = m_group_of.find(k); found != m_group_of.end())
    return *found->second;
  if (m_groups.size() == most)
    return m_rest;
  group& fresh = m_groups.emplace_back();
  fresh.of = which;
  fresh.where = example;
  m_group_of.emplace(k, &fresh);
  return fresh;
}

void groups::clear(group& of) {
  if (of.trace.empty() && of.stack.empty())
    of.trace = call_stack();
}

std::vector<finding> groups::findings() {
  std::vector<finding> all;
  std::uint64_t number = 0;
  for (group& g : m_groups) {
    ++number;
    auto f = finding_of(g);
    if (!f)
      continue;
    if (!g.trace.empty()) {
      g.stack = symbolised(g.trace);
      g.trace.clear();
      g.trace.shrink_to_fit();
    }
    f->number = number;
    f->stack = g.stack;
    all.push_back(std::move(*f));
  }
  // Transfers that need not be are not told to be faster, too.
  auto const host = [](finding const& f) { return f.where.where == to_host ? f.where.label : f.where.source; };
  std::erase_if(all, [&](finding const& f) {
    return (f.id == "DM07" || f.id == "DM08") && std::any_of(all.begin(), all.end(), [&](finding const& g) {
             return g.bytes_saved > 0 && host(f) == host(g);
           });
  });
  return all;
}

} // namespace onetrip::tool
