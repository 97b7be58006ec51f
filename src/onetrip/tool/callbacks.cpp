// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions that Kokkos calls. Each hands on to the next tool, then tells the ledger; nothing that goes wrong here
// reaches the program.

#include <onetrip/tool/ledger.hpp>
#include <onetrip/tool/next_tool.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include <dlfcn.h>
#include <pthread.h>

#define ONETRIP_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using onetrip::detail::text;
using onetrip::tool::ledger;
using onetrip::tool::next_tool;
using handle = Kokkos_Profiling_SpaceHandle;

/// All there is in this process. Never destroyed: callbacks may come as long as it lives.
struct tool_state {
  std::mutex mutex;                 // for what is below but the ledger, which locks itself
  std::atomic<bool> is_off = false; // it failed, or this is the child of a fork
  onetrip::tool::settings chosen;
  std::string problem_of_next;
  next_tool next;
  std::uint64_t interface_version = 0;
  std::atomic<ledger*> account = nullptr;
  Kokkos_Tools_toolInvokedFenceFunction wait_for = nullptr; ///< a device; Kokkos waits for all

  // Where a next tool has ids of its own, what stands for both.
  std::unordered_map<std::uint64_t, std::pair<ledger::ticket, std::uint64_t>> both;
  std::uint64_t last_of_both = 0;
  static constexpr std::size_t most_of_both = 10'000;

  tool_state();
};

std::string path_of_this_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void const*>(&path_of_this_library), &info) == 0 || info.dli_fname == nullptr)
    return {};
  return info.dli_fname;
}

tool_state& state() {
  static auto* const one = new tool_state;
  return *one;
}

tool_state::tool_state() {
  if (char const* const words = std::getenv("ONETRIP_LEDGER"))
    onetrip::tool::read_settings(words, chosen);
  if (char const* const libraries = std::getenv("KOKKOS_TOOLS_LIBS"))
    next = onetrip::tool::load_next_tool(libraries, path_of_this_library(), problem_of_next);
  if (chosen.help)
    std::cerr << onetrip::tool::settings_help() << std::flush;
}

void turn_off(char const* why) noexcept {
  if (!state().is_off.exchange(true))
    std::fprintf(stderr, "onetrip-ledger: stops watching: %s\n", why);
}

/// The ledger, made when the first event comes: settings may come after the library is loaded.
ledger& the_ledger() {
  tool_state& tool = state();
  if (ledger* const made = tool.account.load(std::memory_order_acquire))
    return *made;
  std::scoped_lock const lock(tool.mutex);
  if (ledger* const made = tool.account.load(std::memory_order_acquire))
    return *made;
  auto made = std::make_unique<ledger>(tool.chosen, onetrip::tool::this_process(), tool.interface_version);
  if (!tool.problem_of_next.empty())
    made->add_problem(tool.problem_of_next);
  ledger& account = *made.release();
  tool.account.store(&account, std::memory_order_release);
  // A program that ends without Kokkos::finalize gets its report all the same.
  std::atexit([] {
    if (!state().is_off)
      state().account.load()->finish_at_exit();
  });
  // Locks are held around a fork, or the child could find one that nobody opens any more. The child has no writer, and
  // its parent's account is not its own: it watches nothing.
  pthread_atfork(
      [] {
        state().mutex.lock();
        state().account.load()->lock_for_fork();
      },
      [] {
        state().account.load()->unlock_after_fork();
        state().mutex.unlock();
      },
      [] {
        state().is_off = true;
        state().account.load()->unlock_after_fork();
        state().mutex.unlock();
      });
  return account;
}

/// Calls what tells the ledger; whatever is thrown ends the watching and nothing else.
template <class Function>
auto tell(Function what) noexcept -> decltype(what(std::declval<ledger&>())) {
  using result = decltype(what(std::declval<ledger&>()));
  if (!state().is_off.load(std::memory_order_relaxed)) {
    try {
      return what(the_ledger());
    } catch (std::exception const& problem) {
      turn_off(problem.what());
    } catch (...) {
      turn_off("an unknown error");
    }
  }
  return result();
}

template <class Function, class... Arguments>
void hand_on(Function function, Arguments... arguments) {
  if (function != nullptr)
    function(arguments...);
}

/// The id that stands for ours and for the next tool's.
void join(std::uint64_t* id, ledger::ticket ours, bool has_next, std::uint64_t theirs) noexcept {
  if (id == nullptr)
    return;
  if (!has_next) {
    *id = ours;
    return;
  }
  try {
    tool_state& tool = state();
    std::scoped_lock const lock(tool.mutex);
    *id = ++tool.last_of_both;
    if (tool.both.size() >= tool_state::most_of_both) // their ends never come
      tool.both.clear();
    tool.both.emplace(*id, std::pair(ours, theirs));
  } catch (...) {
    *id = 0;
  }
}

std::pair<ledger::ticket, std::uint64_t> part(std::uint64_t id, bool has_next) noexcept {
  if (!has_next)
    return {id, 0};
  tool_state& tool = state();
  std::scoped_lock const lock(tool.mutex);
  auto const found = tool.both.find(id);
  if (found == tool.both.end())
    return {0, 0};
  auto const both = found->second;
  tool.both.erase(found);
  return both;
}

void fence_to_time() {
  if (state().chosen.fenced && state().wait_for != nullptr)
    state().wait_for(0);
}

void begin_kernel(Kokkos_Profiling_beginFunction next, char const* name, std::uint32_t device, std::uint64_t* id) {
  fence_to_time();
  std::uint64_t theirs = 0;
  hand_on(next, name, device, &theirs);
  join(id, tell([&](ledger& l) { return l.begin_kernel(text(name), device); }), next != nullptr, theirs);
}

void end_kernel(Kokkos_Profiling_beginFunction next_begin, Kokkos_Profiling_endFunction next, std::uint64_t id) {
  fence_to_time();
  auto const [ours, theirs] = part(id, next_begin != nullptr);
  tell([ticket = ours](ledger& l) { l.end_kernel(ticket); });
  hand_on(next, theirs);
}

} // namespace

ONETRIP_EXPORT void kokkosp_request_tool_settings(std::uint32_t count, Kokkos_Tools_ToolSettings* settings) {
  if (count == 0 || settings == nullptr)
    return;
  // Kokkos fences before each callback unless told otherwise. Another tool may rely on it, or says so itself.
  next_tool const& next = state().next;
  settings->requires_global_fencing = next.request_tool_settings != nullptr || next.begin_parallel_for != nullptr ||
                                      next.push_profile_region != nullptr;
  hand_on(next.request_tool_settings, count, settings);
}

ONETRIP_EXPORT void kokkosp_provide_tool_programming_interface(std::uint32_t count,
                                                               Kokkos_Tools_ToolProgrammingInterface actions) {
  if (count > 0)
    state().wait_for = actions.fence;
  hand_on(state().next.provide_tool_programming_interface, count, actions);
}

ONETRIP_EXPORT void kokkosp_parse_args(int count, char** words) {
  auto& chosen = state().chosen;
  bool const has_helped = chosen.help;
  for (int i = 1; i < count && words != nullptr; ++i)
    if (words[i] != nullptr)
      onetrip::tool::read_settings(words[i], chosen);
  if (chosen.help && !has_helped)
    std::cerr << onetrip::tool::settings_help() << std::flush;
  hand_on(state().next.parse_args, count, words);
}

ONETRIP_EXPORT void kokkosp_print_help(char* program) {
  std::cout << onetrip::tool::settings_help() << std::flush;
  hand_on(state().next.print_help, program);
}

ONETRIP_EXPORT void kokkosp_init_library(int sequence, std::uint64_t version, std::uint32_t count,
                                         Kokkos_Profiling_KokkosPDeviceInfo* devices) {
  state().interface_version = version;
  hand_on(state().next.init_library, sequence, version, count, devices);
  tell([](ledger&) {});
}

ONETRIP_EXPORT void kokkosp_finalize_library() {
  tell([](ledger& l) { l.finish(true); });
  hand_on(state().next.finalize_library);
}

ONETRIP_EXPORT void kokkosp_begin_parallel_for(char const* name, std::uint32_t device, std::uint64_t* id) {
  begin_kernel(state().next.begin_parallel_for, name, device, id);
}

ONETRIP_EXPORT void kokkosp_end_parallel_for(std::uint64_t id) {
  end_kernel(state().next.begin_parallel_for, state().next.end_parallel_for, id);
}

ONETRIP_EXPORT void kokkosp_begin_parallel_reduce(char const* name, std::uint32_t device, std::uint64_t* id) {
  begin_kernel(state().next.begin_parallel_reduce, name, device, id);
}

ONETRIP_EXPORT void kokkosp_end_parallel_reduce(std::uint64_t id) {
  end_kernel(state().next.begin_parallel_reduce, state().next.end_parallel_reduce, id);
}

ONETRIP_EXPORT void kokkosp_begin_parallel_scan(char const* name, std::uint32_t device, std::uint64_t* id) {
  begin_kernel(state().next.begin_parallel_scan, name, device, id);
}

ONETRIP_EXPORT void kokkosp_end_parallel_scan(std::uint64_t id) {
  end_kernel(state().next.begin_parallel_scan, state().next.end_parallel_scan, id);
}

ONETRIP_EXPORT void kokkosp_push_profile_region(char const* name) {
  hand_on(state().next.push_profile_region, name);
  tell([&](ledger& l) { l.push_region(text(name)); });
}

ONETRIP_EXPORT void kokkosp_pop_profile_region() {
  tell([](ledger& l) { l.pop_region(); });
  hand_on(state().next.pop_profile_region);
}

ONETRIP_EXPORT void kokkosp_allocate_data(handle space, char const* label, void const* pointer, std::uint64_t bytes) {
  hand_on(state().next.allocate_data, space, label, pointer, bytes);
  tell([&](ledger& l) { l.allocate(text(space), text(label), pointer, bytes); });
}

ONETRIP_EXPORT void kokkosp_deallocate_data(handle space, char const* label, void const* pointer, std::uint64_t bytes) {
  hand_on(state().next.deallocate_data, space, label, pointer, bytes);
  tell([&](ledger& l) { l.deallocate(text(space), text(label), pointer, bytes); });
}

ONETRIP_EXPORT void kokkosp_begin_deep_copy(handle to, char const* to_label, void const* to_data, handle from,
                                            char const* from_label, void const* from_data, std::uint64_t bytes) {
  hand_on(state().next.begin_deep_copy, to, to_label, to_data, from, from_label, from_data, bytes);
  tell([&](ledger& l) {
    l.begin_copy({text(to), text(to_label), to_data}, {text(from), text(from_label), from_data}, bytes);
  });
}

ONETRIP_EXPORT void kokkosp_end_deep_copy() {
  tell([](ledger& l) { l.end_copy(); });
  hand_on(state().next.end_deep_copy);
}

ONETRIP_EXPORT void kokkosp_begin_fence(char const* name, std::uint32_t device, std::uint64_t* id) {
  std::uint64_t theirs = 0;
  hand_on(state().next.begin_fence, name, device, &theirs);
  join(id, tell([&](ledger& l) { return l.begin_fence(text(name), device); }), state().next.begin_fence != nullptr,
       theirs);
}

ONETRIP_EXPORT void kokkosp_end_fence(std::uint64_t id) {
  auto const [ours, theirs] = part(id, state().next.begin_fence != nullptr);
  tell([ticket = ours](ledger& l) { l.end_fence(ticket); });
  hand_on(state().next.end_fence, theirs);
}

// What the ledger takes no notice of.

ONETRIP_EXPORT void kokkosp_create_profile_section(char const* name, std::uint32_t* id) {
  hand_on(state().next.create_profile_section, name, id);
}
ONETRIP_EXPORT void kokkosp_start_profile_section(std::uint32_t id) { hand_on(state().next.start_profile_section, id); }
ONETRIP_EXPORT void kokkosp_stop_profile_section(std::uint32_t id) { hand_on(state().next.stop_profile_section, id); }
ONETRIP_EXPORT void kokkosp_destroy_profile_section(std::uint32_t id) {
  hand_on(state().next.destroy_profile_section, id);
}
ONETRIP_EXPORT void kokkosp_profile_event(char const* name) { hand_on(state().next.profile_event, name); }
ONETRIP_EXPORT void kokkosp_dual_view_sync(char const* label, void const* data, bool to_device) {
  hand_on(state().next.dual_view_sync, label, data, to_device);
}
ONETRIP_EXPORT void kokkosp_dual_view_modify(char const* label, void const* data, bool on_device) {
  hand_on(state().next.dual_view_modify, label, data, on_device);
}
ONETRIP_EXPORT void kokkosp_declare_metadata(char const* key, char const* value) {
  hand_on(state().next.declare_metadata, key, value);
}
