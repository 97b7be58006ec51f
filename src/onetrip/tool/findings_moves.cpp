// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/findings_moves.hpp>

#include <onetrip/detail/classify.hpp>

#include <algorithm>

namespace onetrip::tool {

namespace {

constexpr std::size_t most_spots = 100'000;        // more are forgotten and started over, so that memory is bounded
constexpr std::size_t most_spots_each = 64;        // of an allocation, to be looked through one by one
constexpr std::size_t most_spots_elsewhere = 1000; // of memory that Kokkos didn't allocate
constexpr std::uint64_t least_header_bytes = 128;  // before a View's data
constexpr std::uint64_t most_header_bytes = 256;   // where Kokkos is built for AMD's devices
constexpr std::uint64_t pageable_bytes = 64 * 1024;

bool is_up(record const& r) { return r.what == kind::transfer && r.where == to_device; }
bool is_down(record const& r) { return r.what == kind::transfer && r.where == to_host; }

/// How many of the last copy's bytes the host has changed, as far as that says something.
enum class likeness { unknown, same, changed };

likeness compare(digest const& before, digest const& after) {
  double const share = changed_share(before, after);
  if (share < 0 || (share == 0 && after.is_constant))
    return likeness::unknown;
  return share == 0 ? likeness::same : likeness::changed;
}

/// "Kokkos::View::initialization [label] via memset" names this View.
bool initialises(std::string_view kernel, std::string_view label) {
  constexpr std::string_view begin = "Kokkos::View::initialization [";
  return kernel.starts_with(begin) && kernel.substr(begin.size()).starts_with(label) &&
         kernel.substr(begin.size() + label.size()).starts_with(']');
}

} // namespace

moves::allocation* moves::find(std::uint64_t at) {
  auto next = m_allocations.upper_bound(at);
  if (next == m_allocations.begin())
    return nullptr;
  allocation& a = std::prev(next)->second;
  std::uint64_t const offset = at - a.begin;
  return offset < most_header_bytes || offset - most_header_bytes < a.bytes ? &a : nullptr;
}

moves::spot& moves::spot_at(std::uint64_t begin, std::uint64_t bytes) {
  if (auto const found = m_spots.find({begin, bytes}); found != m_spots.end())
    return found->second;
  if (m_spots.size() >= most_spots) {
    for (auto& [at, a] : m_allocations)
      a.spots.clear();
    m_elsewhere.spots.clear();
    m_spots.clear();
    m_range_of.clear();
    ++m_drops;
  }
  allocation* const in = find(begin);
  if (in == nullptr && m_elsewhere.spots.size() >= most_spots_elsewhere)
    forget_spots(m_elsewhere);
  if (m_copies.size() >= 2 * most_spots)
    m_copies.clear();
  spot& s = m_spots[{begin, bytes}];
  s.begin = begin;
  s.bytes = bytes;
  s.serial = ++m_last_serial;
  s.in = in != nullptr ? in : &m_elsewhere;
  s.in->spots.push_back(&s);
  m_range_of.emplace(s.serial, range{begin, bytes});
  return s;
}

void moves::forget_spots(allocation& of) {
  for (spot const* const s : of.spots) {
    m_range_of.erase(s->serial);
    m_spots.erase({s->begin, s->bytes});
    ++m_drops;
  }
  of.spots.clear();
}

std::uint64_t moves::kernels(allocation const& of) const {
  return of.is_device ? m_device_kernels : m_device_kernels + m_host_kernels;
}

moves::moment moves::now(spot const& of) const { return {kernels(*of.in), of.writes + of.in->writes, of.shuffles}; }

/// Nothing can have used the last upload.
bool moves::is_unused(spot const& of) const {
  moment const at = now(of);
  upload const& u = of.up;
  return u.is_there && u.at.kernels == at.kernels && u.at.writes == at.writes && u.at.shuffles == at.shuffles &&
         u.reads == of.in->reads && u.signs == m_signs;
}

void moves::claim_dead(spot& of) {
  if (!is_unused(of) || of.up.is_claimed || !of.in->is_known)
    return;
  group& g = m_groups.of(rule::dead, of.up.what);
  groups::clear(g);
  onetrip::tool::add(g.seen, of.bytes);
  of.up.is_claimed = true;
}

/// `is_whole`: what was there is gone for good.
void moves::write(allocation& in, std::uint64_t begin, std::uint64_t bytes, bool is_whole, bool is_shuffle) {
  if (in.spots.size() > most_spots_each) {
    ++in.writes;
    return;
  }
  for (spot* const s : in.spots) {
    std::uint64_t const offset = s->begin - begin; // a negative one is larger than any size
    if (offset >= bytes && begin - s->begin >= s->bytes)
      continue;
    if (is_whole && offset < bytes && s->bytes <= bytes - offset)
      claim_dead(*s);
    ++(is_shuffle ? s->shuffles : s->writes);
  }
}

moves::pending& moves::of_thread(std::uint32_t thread) {
  if (thread >= m_pending.size())
    m_pending.resize(thread + 1);
  return m_pending[thread];
}

void moves::before_copy(event const& e) {
  pending& p = of_thread(e.thread);
  p.host = p.device = nullptr;
  p.held.parts.clear();
  p.count = 0;
  p.overwrites_fresh = false;
  std::uint64_t const to = address(e.data);
  record const& r = e.what;
  if (m_fresh != 0) {
    allocation const* const a = find(to);
    p.overwrites_fresh = a != nullptr && a->begin == m_fresh && r.bytes_asked == a->bytes &&
                         (r.what == kind::transfer || r.what == kind::copy || r.what == kind::fill);
    m_fresh = 0;
  }
  if (!is_up(r) && !is_down(r))
    return;
  std::uint64_t const from = address(e.source_data);
  spot* const source = &spot_at(from, r.bytes_asked);
  std::uint64_t const drops = m_drops;
  spot* const destination = &spot_at(to, r.bytes_asked);
  if (drops != m_drops) // all were forgotten for this one: next time
    return;
  p.host = is_up(r) ? source : destination;
  p.device = is_up(r) ? destination : source;
  p.drops = m_drops;
  p.count = ++m_copies[{destination->serial, source->serial}];
  bool const is_small = r.bytes_asked <= memory_reader::part_bytes;
  if (m_contents == contents::full || (m_contents == contents::sampled && (is_small || p.count >= 3)))
    m_reader.read(is_up(r) ? e.source_data : e.data, r.bytes_asked, m_contents == contents::full, p.held);
}

void moves::add(event const& e) {
  switch (e.what.what) {
  case kind::kernel:
  case kind::own_kernel: add_kernel(e); break;
  case kind::fence: ++m_signs; break;
  case kind::allocation: allocate(e); break;
  case kind::deallocation: deallocate(e); break;
  case kind::transfer:
  case kind::copy:
  case kind::fill:
  case kind::failed_copy: add_copy(e); break;
  default: break;
  }
}

void moves::add_kernel(event const& e) {
  std::string_view const label = e.what.label;
  if (e.what.what == kind::own_kernel) {
    if (label.starts_with("Kokkos::View::initialization")) {
      auto const last = m_allocations.find(m_last_allocated);
      bool const is_its = last != m_allocations.end() && initialises(label, last->second.what.label);
      m_fresh = is_its ? m_last_allocated : 0;
      return;
    }
    // Those of copies and fills, which are told of themselves.
    if (label.starts_with("Kokkos::Impl::host_space_deepcopy") || label.starts_with("Kokkos::ViewFill"))
      return;
  }
  m_fresh = 0;
  std::uint32_t const type = detail::space_type(e.what.device);
  bool const is_hosts = type == 0 || type == 1 || type == 5 || type == 6; // Serial, OpenMP, HPX, Threads
  ++(is_hosts ? m_host_kernels : m_device_kernels);
}

void moves::allocate(event const& e) {
  std::uint64_t const at = address(e.data);
  m_fresh = 0;
  if (at == 0)
    return;
  std::uint64_t const bytes = std::min(e.what.bytes_asked, ~std::uint64_t{0} - at - most_header_bytes);
  // What is in its way was freed unseen.
  auto first = m_allocations.lower_bound(at);
  if (first != m_allocations.begin()) {
    allocation const& below = std::prev(first)->second;
    if (at - below.begin < least_header_bytes || at - below.begin - least_header_bytes < below.bytes)
      --first;
  }
  for (auto next = first; next != m_allocations.end() && (next->first < at || next->first - at < bytes);) {
    forget_spots(next->second);
    next = m_allocations.erase(next);
  }
  allocation& a = m_allocations[at];
  forget_spots(a);
  a.begin = at;
  a.bytes = bytes;
  a.what = e.what;
  a.is_device = detail::side_of(e.what.space) == detail::side::device;
  a.born = m_device_kernels + m_host_kernels;
  m_last_allocated = at;
  // Ranges that were not known to be of an allocation may be in it.
  if (std::any_of(m_elsewhere.spots.begin(), m_elsewhere.spots.end(),
                  [&](spot const* s) { return s->begin - at < bytes + most_header_bytes; }))
    forget_spots(m_elsewhere);
  auto const made = m_churn.find({address(e.what.label.data()), hash_of(bytes, address(e.what.space.data()))});
  if (made == m_churn.end() || made->second.freed == 0)
    return;
  --made->second.freed;
  if (++made->second.again < 3)
    return;
  group& g = m_groups.of(rule::churn, e.what);
  groups::clear(g);
  std::uint64_t const times = made->second.again == 3 ? 3 : 1;
  g.seen = g.seen + tally{times, times * bytes};
}

void moves::deallocate(event const& e) {
  m_fresh = 0;
  auto const found = m_allocations.find(address(e.data));
  if (found == m_allocations.end())
    return;
  allocation& a = found->second;
  for (spot* const s : a.spots)
    claim_dead(*s);
  if (a.born != m_device_kernels + m_host_kernels && !a.what.label.starts_with("Kokkos::")) {
    if (m_churn.size() >= most_spots)
      m_churn.clear();
    ++m_churn[{address(a.what.label.data()), hash_of(a.bytes, address(a.what.space.data()))}].freed;
  }
  forget_spots(a);
  m_allocations.erase(found);
}

void moves::add_copy(event const& e) {
  pending& p = of_thread(e.thread);
  record const& r = e.what;
  if (r.what != kind::failed_copy && p.overwrites_fresh && !r.upper_bound) {
    record view = r;
    view.source = view.source_space = {};
    group& g = m_groups.of(rule::initialised, view);
    groups::clear(g);
    onetrip::tool::add(g.seen, r.bytes_asked);
  }
  p.overwrites_fresh = false;
  if (is_up(r) || is_down(r)) {
    if (p.drops != m_drops || p.host == nullptr) {
      std::uint64_t const drops = m_drops;
      spot* const to = &spot_at(address(e.data), r.bytes_asked);
      spot* const from = &spot_at(address(e.source_data), r.bytes_asked);
      if (drops != m_drops)
        return;
      p.host = is_up(r) ? from : to;
      p.device = is_up(r) ? to : from;
    }
    add_transfer(e, p);
    return;
  }
  if (r.where == direction::within_host)
    return;
  if (allocation* const from = r.what == kind::fill ? nullptr : find(address(e.source_data)))
    ++from->reads;
  bool const is_whole = r.what != kind::failed_copy && !r.upper_bound;
  if (allocation* const to = find(address(e.data)))
    write(*to, address(e.data), r.bytes_asked, is_whole, false);
}

void moves::add_transfer(event const& e, pending& p) {
  record const& r = e.what;
  bool const is_device = detail::side_of(is_up(r) ? r.space : r.source_space) == detail::side::device;
  if (is_device && (is_up(r) ? r.source_space : r.space) == "Host" && r.bytes_moved >= pageable_bytes && p.count >= 4) {
    group& g = m_groups.of(rule::pageable, r);
    groups::clear(g);
    std::uint64_t const times = p.count == 4 ? 4 : 1;
    g.seen = g.seen + tally{times, times * r.bytes_moved};
  }
  if (is_up(r))
    add_upload(e, p);
  else
    add_download(e, p);
}

void moves::add_upload(event const& e, pending& p) {
  spot& d = *p.device;
  bool const is_packed = e.what.upper_bound;
  bool const is_trip = !is_packed && close_trip(e, p);
  bool const is_same = !is_packed && !is_trip && repeats(e, p);
  write(*d.in, d.begin, d.bytes, !is_packed && !is_trip && !is_same, is_trip);
  d.up.is_there = !is_packed;
  d.up.is_claimed = is_trip || is_same;
  d.up.what = e.what;
  d.up.at = now(d);
  d.up.reads = d.in->reads;
  d.up.signs = m_signs;
  std::swap(d.up.held, p.held);
}

/// The host's range has come from the device, which still has these bytes: all that is uploaded again unchanged need
/// not move, and neither need the download. True also where that isn't known yet.
bool moves::close_trip(event const& e, pending& p) {
  spot& h = *p.host;
  download& down = h.down;
  auto const from = m_range_of.find(down.from);
  if (from == m_range_of.end() || m_contents == contents::none)
    return false;
  spot const& source = m_spots.at(from->second);
  moment const at = now(source);
  if (at.kernels != down.at.kernels || at.writes != down.at.writes)
    return false;
  bool const is_back = &source == p.device;
  likeness const now_is = compare(down.held, p.held);
  group& g = m_groups.of(rule::trip, e.what);
  std::uint64_t const all_kernels = m_device_kernels + m_host_kernels;
  g.rounds += g.last_kernels != all_kernels ? 1 : 0;
  g.last_kernels = all_kernels;
  if (now_is == likeness::changed) {
    onetrip::tool::add(g.changed, e.what.bytes_moved);
    g.changed_share += changed_share(down.held, p.held);
    return false;
  }
  bool const is_known = now_is == likeness::same;
  ++h.trips;
  g.swapped += is_back ? 0 : 1;
  onetrip::tool::add(is_known ? g.same : g.unknown, e.what.bytes_moved);
  if (is_known) {
    groups::clear(g);
    g.proven += is_back && p.held.is_whole && at.shuffles == down.at.shuffles && source.in->is_known ? 1 : 0;
  }
  if (!down.is_claimed) {
    onetrip::tool::add(is_known ? g.downloads_same : g.downloads_unknown, down.bytes);
    down.is_claimed = true;
    if (down.useless != nullptr) { // it counts here now
      take(down.is_idle ? down.useless->idle : down.useless->same, down.bytes);
      down.useless->proven -= down.is_proven ? 1 : 0;
      down.useless = nullptr;
      if (is_known)
        onetrip::tool::add(g.downloads_useless, down.bytes);
    }
  }
  return true;
}

/// The last upload into this range brought the same bytes. True where this one is claimed, now or once that recurs.
bool moves::repeats(event const& e, pending& p) {
  spot& d = *p.device;
  upload const& last = d.up;
  moment const at = now(d);
  if (!last.is_there || last.at.writes != at.writes || last.at.shuffles != at.shuffles || m_contents == contents::none)
    return false;
  likeness const now_is = compare(last.held, p.held);
  bool const is_idle = last.at.kernels == at.kernels && last.signs == m_signs;
  if ((is_idle && now_is != likeness::same) || (!is_idle && d.is_written))
    return false;
  group& g = m_groups.of(rule::repeat, e.what);
  tally& to = now_is == likeness::unknown   ? g.unknown
              : now_is == likeness::changed ? g.changed
              : is_idle                     ? g.idle
                                            : g.same;
  onetrip::tool::add(to, e.what.bytes_moved);
  if (now_is != likeness::same)
    return false;
  groups::clear(g);
  g.proven += is_idle && p.held.is_whole && d.in->is_known ? 1 : 0;
  return true;
}

void moves::add_download(event const& e, pending& p) {
  spot& h = *p.host;
  spot& d = *p.device;
  bool const is_packed = e.what.upper_bound;
  ++m_signs;
  ++d.in->reads;
  m_after.parts.clear();
  if (e.waits && p.held.is_known())
    m_reader.read(e.data, e.what.bytes_moved, p.held.is_whole, m_after);
  moment const at = now(d);
  bool const is_idle = h.down.from == d.serial && h.down.at.kernels == at.kernels && h.down.at.writes == at.writes &&
                       h.down.at.shuffles == at.shuffles;
  download next;
  if (!is_packed && p.count > 1 && h.trips == 0) {
    likeness const now_is = compare(p.held, m_after);
    if (now_is != likeness::unknown) {
      group& g = m_groups.of(rule::useless, e.what);
      if (now_is == likeness::changed) {
        onetrip::tool::add(g.changed, e.what.bytes_moved);
      } else {
        groups::clear(g);
        next.useless = &g;
        next.is_idle = is_idle;
        next.is_proven = m_after.is_whole;
        onetrip::tool::add(is_idle ? g.idle : g.same, e.what.bytes_moved);
        g.proven += next.is_proven ? 1 : 0;
      }
    }
  }
  if (d.up.is_there && compare(d.up.held, m_after) == likeness::changed)
    d.is_written = true;
  next.from = is_packed ? 0 : d.serial;
  next.bytes = e.what.bytes_moved;
  next.at = at;
  std::swap(next.held, h.down.held);
  std::swap(next.held, m_after);
  h.down = std::move(next);
}

} // namespace onetrip::tool
