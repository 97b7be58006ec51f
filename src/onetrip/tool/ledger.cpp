// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/ledger.hpp>

#include <algorithm>
#include <utility>

#include <csignal>
#include <pthread.h>

namespace onetrip::tool {

namespace {

// Kokkos' header before a View's data: 128 bytes, and 256 where it is built for AMD's devices, whose data then begin
// within the range that is looked up.
constexpr std::size_t header_bytes = 128;

/// As many kernels or fences may be under way before ends that never come are taken for lost.
constexpr std::size_t most_under_way = 10'000;

/// Whether this is the pattern's text, in which * stands for any: labels hold all the other signs that a shell knows.
bool matches(std::string_view text, std::string_view pattern) {
  std::size_t const star = pattern.find('*');
  if (star == pattern.npos)
    return text == pattern;
  if (!text.starts_with(pattern.substr(0, star)))
    return false;
  text.remove_prefix(star);
  pattern.remove_prefix(star + 1);
  // The text between two stars is best found as early as it can be.
  for (std::size_t next = 0; (next = pattern.find('*')) != pattern.npos; pattern.remove_prefix(next + 1)) {
    std::size_t const at = text.find(pattern.substr(0, next));
    if (at == text.npos)
      return false;
    text.remove_prefix(at + next);
  }
  return text.ends_with(pattern);
}

/// A thread that takes no signal: those are the program's.
template <class Function>
std::thread quiet_thread(Function what) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(what));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

} // namespace

ledger::ledger(settings chosen, process self, std::uint64_t interface_version)
    : m_settings(std::move(chosen)), m_model(header_bytes), m_findings(m_settings.hashes),
      m_problems(m_settings.problems), m_reports(m_settings, self, interface_version) {
  if (m_reports.is_live())
    m_writer = quiet_thread([this] { write_as_it_runs(); });
}

ledger::~ledger() { finish(false); }

ledger::ticket ledger::begin_kernel(std::string_view label, std::uint32_t device) {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return 0;
  return begin(m_model.kernel(label, device));
}

void ledger::end_kernel(ticket of) {
  std::scoped_lock const lock(m_mutex);
  auto const e = end(of, now());
  if (m_is_finished || !e)
    return;
  m_reports.add(*e);
  if (m_settings.fenced)
    m_rows.add_time(*e);
}

ledger::ticket ledger::begin_fence(std::string_view label, std::uint32_t device) {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return 0;
  if (auto* const copy = m_model.open_copy())
    ++copy->note.fences;
  auto const what = m_model.fence(label, device);
  return what ? begin(*what) : 0;
}

void ledger::end_fence(ticket of) {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return;
  double const time = now();
  if (auto* const copy = m_model.open_copy(); copy != nullptr && copy->note.fences == 1)
    copy->note.so_far.begin = time;
  auto const e = end(of, time);
  if (!e)
    return;
  m_rows.add_time(*e);
  m_reports.add(*e);
}

void ledger::push_region(std::string_view name) {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return;
  fail_open_copy();
  m_model.push_region(name);
  this_thread().regions.push_back(now());
}

void ledger::pop_region() {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return;
  fail_open_copy();
  std::string_view const path = m_model.region();
  thread& here = this_thread();
  if (!m_model.pop_region()) {
    ++m_strays["regions popped that were never pushed"];
    return;
  }
  m_reports.add_region(path, here.number, here.regions.back(), now());
  here.regions.pop_back();
}

void ledger::allocate(std::string_view space, std::string_view label, void const* pointer, std::uint64_t bytes) {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return;
  event e{.what = m_model.allocate(space, label, pointer, bytes), .data = pointer, .thread = this_thread().number};
  if (pointer != nullptr) {
    if (plays_device(e.what.label))
      m_model.add_stand_in(pointer, bytes + header_bytes);
    memory& of = m_spaces[e.what.space];
    auto const [size, is_new] = m_sizes.try_emplace(pointer, bytes);
    if (!is_new) { // its free was not seen
      of.now -= std::min(of.now, size->second);
      size->second = bytes;
    }
    of.now += bytes;
    of.peak = std::max(of.peak, of.now);
  }
  e.begin = e.end = now();
  complete(e);
  m_reports.add(e);
}

void ledger::deallocate(std::string_view space, std::string_view label, void const* pointer, std::uint64_t bytes) {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return;
  event e{.what = m_model.deallocate(space, label, pointer, bytes), .data = pointer, .thread = this_thread().number};
  if (m_sizes.erase(pointer) == 1) {
    memory& of = m_spaces[e.what.space];
    of.now -= std::min(of.now, bytes);
  } else if (pointer != nullptr && label != "[unlabeled]") { // Kokkos' own, of before the tool was there
    ++m_strays["memory freed that was not seen allocated"];
  }
  e.begin = e.end = now();
  complete(e);
  m_reports.add(e);
}

void ledger::begin_copy(detail::copy_side const& to, detail::copy_side const& from, std::uint64_t bytes) {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return;
  fail_open_copy();
  event e{.what = {}, .data = to.data, .source_data = from.data, .thread = this_thread().number};
  m_model.begin_copy(to, from, bytes, {e});
  auto* const copy = m_model.open_copy();
  e.what = copy->what;
  m_findings.before_copy(e);
  e.begin = now();
  copy->note.so_far = e;
}

void ledger::end_copy() {
  std::scoped_lock const lock(m_mutex);
  if (m_is_finished)
    return;
  auto ended = m_model.end_copy();
  if (!ended) {
    ++m_strays["copies that ended without a begin on their thread"];
    return;
  }
  event e = ended->note.so_far;
  e.what = ended->what;
  e.end = now();
  e.waits = ended->note.fences >= 2;
  complete(e);
  m_reports.add(e);
}

void ledger::add_problem(std::string line) {
  std::scoped_lock const lock(m_mutex);
  m_problems.push_back(std::move(line));
}

std::vector<finding> ledger::found() {
  std::scoped_lock const lock(m_mutex);
  return m_findings.so_far();
}

void ledger::finish(bool is_whole) { finish_locked(is_whole, std::unique_lock(m_mutex)); }

void ledger::finish_at_exit() {
  std::unique_lock lock(m_mutex, std::try_to_lock);
  for (int i = 0; i < 100 && !lock.owns_lock(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    static_cast<void>(lock.try_lock());
  }
  if (lock.owns_lock())
    finish_locked(false, std::move(lock));
}

void ledger::finish_locked(bool is_whole, std::unique_lock<std::mutex> lock) {
  if (m_is_finished)
    return;
  m_is_finished = true;
  picture last = look();
  last.is_whole = is_whole;
  m_reports.finish(last);
  lock.unlock();
  m_wake.notify_all();
  if (m_writer.joinable())
    m_writer.join();
}

ledger::thread& ledger::this_thread() {
  auto const next = static_cast<std::uint32_t>(m_threads.size());
  return m_threads.try_emplace(std::this_thread::get_id(), thread{next, {}}).first->second;
}

/// A kernel or a fence: the order of begins is what findings go by; the time is added at the end.
ledger::ticket ledger::begin(record const& what) {
  event e{.what = what, .thread = this_thread().number};
  e.begin = e.end = now();
  complete(e);
  if (m_under_way.size() >= most_under_way)
    m_under_way.clear();
  m_under_way.emplace(++m_last_ticket, e);
  return m_last_ticket;
}

/// Nothing where its begin was not seen.
std::optional<event> ledger::end(ticket of, double time) {
  auto const found = m_under_way.find(of);
  if (found == m_under_way.end())
    return std::nullopt;
  event e = found->second;
  m_under_way.erase(found);
  e.end = time;
  return e;
}

/// Tells every part that goes by the order of events.
void ledger::complete(event const& e) {
  ++m_events;
  m_rows.add(e);
  m_findings.add(e);
}

/// A copy that threw has no end: it shows where the next begins.
void ledger::fail_open_copy() {
  auto const* const open = m_model.open_copy();
  if (open == nullptr)
    return;
  event e = open->note.so_far;
  e.what = open->what;
  e.what.what = kind::failed_copy;
  e.end = e.begin;
  m_model.end_copy();
  complete(e);
}

bool ledger::plays_device(std::string_view label) const {
  return std::any_of(m_settings.device.begin(), m_settings.device.end(),
                     [&](std::string const& pattern) { return matches(label, pattern); });
}

picture ledger::look() {
  picture at{.seconds = now(),
             .events = m_events,
             .rows = &m_rows,
             .spaces = &m_spaces,
             .findings = m_findings.so_far(),
             .problems = m_problems};
  for (auto const& [what, count] : m_strays)
    at.problems.push_back(std::to_string(count) + ' ' + what);
  if (!m_findings.problem().empty())
    at.problems.emplace_back(m_findings.problem());
  return at;
}

void ledger::write_as_it_runs() {
  std::unique_lock lock(m_mutex);
  while (!m_wake.wait_for(lock, std::chrono::milliseconds(500), [this] { return m_is_finished; })) {
    m_reports.update(look());
    lock.unlock(); // the program doesn't wait for the disk
    m_reports.flush();
    lock.lock();
  }
}

} // namespace onetrip::tool
