// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/findings_habits.hpp>

namespace onetrip::tool {

namespace {

constexpr std::uint64_t small_bytes = 64 * 1024; // less than latency times bandwidth
constexpr std::uint64_t most_keys = 100'000;     // more are started over, so that memory is bounded

} // namespace

void habits::add(event const& e) {
  switch (e.what.what) {
  case kind::kernel:
    ++m_kernels;
    m_work += hash_of(address(e.what.label.data()), 1);
    break;
  case kind::transfer:
    m_work += hash_of(address(e.what.label.data()), 2);
    add_transfer(e);
    break;
  case kind::fence: add_fence(e); break;
  case kind::alias: add_alias(e); break;
  default: break;
  }
}

void habits::add_transfer(event const& e) {
  if (e.thread >= m_runs.size())
    m_runs.resize(e.thread + 1);
  run& r = m_runs[e.thread];
  if (e.what.bytes_moved >= small_bytes || e.what.where == direction::unknown) {
    r = {};
    return;
  }
  if (r.where != e.what.where || r.kernels != m_kernels) {
    r = {};
    r.where = e.what.where;
    r.kernels = m_kernels;
    r.first = e.what;
  }
  onetrip::tool::add(r.so_far, e.what.bytes_moved);
  if (r.so_far.count < 8)
    return;
  group& g = m_groups.of(rule::tiny, r.first);
  groups::clear(g);
  g.seen = g.seen + (r.so_far.count == 8 ? r.so_far : tally{1, e.what.bytes_moved});
}

void habits::add_fence(event const& e) {
  if (m_loops.size() >= most_keys)
    m_loops.clear();
  loop& l = m_loops[{address(e.what.label.data()), address(e.what.region.data())}];
  std::uint64_t const kernels = m_kernels - l.kernels;
  std::uint64_t const cycle = m_work - l.work;
  if (l.rounds == 0) {
    l = {m_work, m_kernels, 0, 1};
    return;
  }
  // A fence that many kernels share costs little.
  bool const recurs = kernels > 0 && kernels <= 64 && cycle == l.cycle;
  l = {m_work, m_kernels, cycle, recurs ? l.rounds + 1 : 2};
  if (l.rounds < 8)
    return;
  group& g = m_groups.of(rule::sync, e.what);
  groups::clear(g);
  g.seen.count += l.rounds == 8 ? 8 : 1;
}

void habits::add_alias(event const& e) {
  if (m_aliases.size() >= most_keys)
    m_aliases.clear();
  std::uint64_t const count = ++m_aliases[{address(e.data), address(e.what.label.data())}];
  if (count < 3)
    return;
  group& g = m_groups.of(rule::alias, e.what);
  groups::clear(g);
  std::uint64_t const times = count == 3 ? 3 : 1;
  g.seen = g.seen + tally{times, times * e.what.bytes_asked};
}

} // namespace onetrip::tool
