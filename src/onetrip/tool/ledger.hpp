// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/event_model.hpp>
#include <onetrip/tool/event.hpp>
#include <onetrip/tool/findings.hpp>
#include <onetrip/tool/reports.hpp>
#include <onetrip/tool/settings.hpp>
#include <onetrip/tool/tallies.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace onetrip::tool {

/// What the tool knows: takes the callbacks as they come, from any thread, and tells every part of each complete event.
/// Memory grows with the labels and with what is under way, never with the events.
class ledger {
public:
  /// What a kernel or a fence that is under way is known by; 0: none.
  using ticket = std::uint64_t;

  ledger(settings chosen, process self, std::uint64_t interface_version);
  ~ledger();

  ledger(ledger const&) = delete;
  ledger& operator=(ledger const&) = delete;

  ticket begin_kernel(std::string_view label, std::uint32_t device);
  void end_kernel(ticket of);
  ticket begin_fence(std::string_view label, std::uint32_t device);
  void end_fence(ticket of);
  void push_region(std::string_view name);
  void pop_region();
  void allocate(std::string_view space, std::string_view label, void const* pointer, std::uint64_t bytes);
  void deallocate(std::string_view space, std::string_view label, void const* pointer, std::uint64_t bytes);
  void begin_copy(detail::copy_side const& to, detail::copy_side const& from, std::uint64_t bytes);
  void end_copy();

  /// A line that the reports carry.
  void add_problem(std::string line);

  /// What has been found so far.
  std::vector<finding> found();

  /// The last report. Nothing that comes afterwards counts. `is_whole`: Kokkos::finalize has come.
  void finish(bool is_whole);

  /// The same without Kokkos::finalize. `exit` may have been called where the lock is held, as in a handler of signals:
  /// then there is no last report.
  void finish_at_exit();

  /// Around fork: the child's copy is of no use, since its threads are gone, and writes nothing.
  void lock_for_fork() { m_mutex.lock(); }
  void unlock_after_fork() { m_mutex.unlock(); }

private:
  struct copy_note {
    event so_far;
    unsigned fences = 0; ///< of its own, so far
  };

  struct thread {
    std::uint32_t number;
    std::vector<double> regions; ///< when each of those that are open began
  };

  double now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }
  thread& this_thread();
  ticket begin(record const& what);
  std::optional<event> end(ticket of, double time);
  void complete(event const& e);
  void fail_open_copy();
  bool plays_device(std::string_view label) const;
  picture look();
  void finish_locked(bool is_whole, std::unique_lock<std::mutex> lock);
  void write_as_it_runs();

  settings m_settings;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  std::mutex m_mutex;
  detail::event_model<copy_note> m_model;
  std::unordered_map<std::thread::id, thread> m_threads;
  std::unordered_map<ticket, event> m_under_way; ///< kernels and fences
  ticket m_last_ticket = 0;
  std::uint64_t m_events = 0;
  tallies m_rows;
  std::map<std::string_view, memory> m_spaces;
  std::unordered_map<void const*, std::uint64_t> m_sizes; ///< of what is allocated: frees are told apart from strays
  findings m_findings;
  std::map<std::string, std::uint64_t> m_strays; ///< what can't be right in the stream, with how often it came
  std::vector<std::string> m_problems;
  bool m_is_finished = false;
  reports m_reports;
  std::condition_variable m_wake;
  std::thread m_writer;
};

} // namespace onetrip::tool
