// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/event_log.hpp>
#include <onetrip/detail/process_state.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <mutex>

// The one place that takes Kokkos' callbacks and gives them back. Kokkos has one slot for each: what stood there before
// is called first, so that a tool loaded by KOKKOS_TOOLS_LIBS sees what it would see without us.

namespace onetrip::detail {

/// One of Kokkos' slots for a callback, as it was before ours came in.
template <class Function>
struct slot {
  Function previous = nullptr;
  bool linked = false; // ours is called, directly or by a callback that came after it

  void link(Function& current, Function ours) {
    if (linked && current != ours && (current == nullptr || current == previous))
      linked = false; // somebody put back what stood there before us
    if (linked)
      return;
    previous = current;
    current = ours;
    linked = true;
  }

  /// Puts the previous callback back; where another has come on top of ours, ours stays as a link to the previous one.
  void unlink(Function& current, Function ours) {
    if (!linked || current != ours)
      return;
    current = previous;
    linked = false;
  }
};

/// Kokkos' callbacks as links to the process's event log.
class [[gnu::visibility("default")]] tools_hooks {
public:
  event_log log;

  /// Takes the callbacks for one more recorder. Kernels and regions are watched apart, since Kokkos fences before each.
  void attach(bool kernels) {
    std::scoped_lock lock(m_mutex);
    if (m_recorders++ == 0)
      log.start();
    if (kernels && m_kernel_recorders++ == 0)
      log.forget_regions();
    relink();
  }

  void detach(bool kernels) {
    std::scoped_lock lock(m_mutex);
    --m_recorders;
    if (kernels && --m_kernel_recorders == 0)
      log.forget_regions();
    relink();
    if (m_recorders == 0)
      log.start(); // forget
  }

  /// The library's own memory for the device, where host and device share one memory: plays the device's.
  void stand_in(void const* data, std::size_t bytes) {
    if (m_recorders > 0)
      log.add_stand_in(data, bytes);
  }

  /// Whether a tools library that Kokkos::initialize loaded has overwritten the callbacks set before it.
  bool is_overwritten() const {
    return !m_saw_initialize && Kokkos::Tools::Experimental::get_callbacks().begin_deep_copy != &on_begin_copy;
  }

  /// Whether Kokkos fences before each callback of a kernel or region, and such are watched. It asks in
  /// Kokkos::initialize.
  bool adds_fences() const { return m_fences_kernels && m_kernel_recorders > 0; }

private:
  using event_set = Kokkos::Tools::Experimental::EventSet;
  using handle = Kokkos::Tools::SpaceHandle;

  void relink() {
    // A tools library that Kokkos::initialize loads overwrites every callback set before.
    if (m_linked_before_initialize && Kokkos::is_initialized()) {
      if (!m_saw_initialize)
        m_slots = {};
      m_linked_before_initialize = false;
    }
    event_set set = Kokkos::Tools::Experimental::get_callbacks();
    change(m_slots.init, set.init, &on_init, m_recorders);
    change(m_slots.settings, set.request_tool_settings, &on_settings, m_recorders);
    change(m_slots.begin_copy, set.begin_deep_copy, &on_begin_copy, m_recorders);
    change(m_slots.end_copy, set.end_deep_copy, &on_end_copy, m_recorders);
    change(m_slots.allocate, set.allocate_data, &on_allocate, m_recorders);
    change(m_slots.deallocate, set.deallocate_data, &on_deallocate, m_recorders);
    change(m_slots.fence, set.begin_fence, &on_fence, m_recorders);
    change(m_slots.begin_for, set.begin_parallel_for, &on_for, m_kernel_recorders);
    change(m_slots.begin_reduce, set.begin_parallel_reduce, &on_reduce, m_kernel_recorders);
    change(m_slots.begin_scan, set.begin_parallel_scan, &on_scan, m_kernel_recorders);
    change(m_slots.push, set.push_region, &on_push, m_kernel_recorders);
    change(m_slots.pop, set.pop_region, &on_pop, m_kernel_recorders);
    Kokkos::Tools::Experimental::set_callbacks(set);
    m_linked_before_initialize = !Kokkos::is_initialized() && m_recorders > 0;
  }

  /// Whether another tool watches kernels or regions, and so may rely on the fences that Kokkos adds by default.
  bool others_watch_kernels() const {
    event_set const set = Kokkos::Tools::Experimental::get_callbacks();
    auto const is_others = [](auto const& where, auto current, auto ours) {
      return current == ours ? where.previous != nullptr : current != nullptr;
    };
    return is_others(m_slots.begin_for, set.begin_parallel_for, &on_for) ||
           is_others(m_slots.begin_reduce, set.begin_parallel_reduce, &on_reduce) ||
           is_others(m_slots.begin_scan, set.begin_parallel_scan, &on_scan) ||
           is_others(m_slots.push, set.push_region, &on_push) || is_others(m_slots.pop, set.pop_region, &on_pop) ||
           set.end_parallel_for != nullptr || set.end_parallel_reduce != nullptr || set.end_parallel_scan != nullptr;
  }

  template <class Function>
  static void change(slot<Function>& where, Function& current, Function ours, int wanted) {
    if (wanted > 0)
      where.link(current, ours);
    else
      where.unlink(current, ours);
  }

  template <class Function, class... Arguments>
  static void forward(slot<Function> const& where, Arguments... arguments) {
    if (where.previous != nullptr)
      where.previous(arguments...);
  }

  // Each is a plain function, as Kokkos wants it. A link that outlived its recorder only forwards.
  static void on_init(int sequence, std::uint64_t version, std::uint32_t count,
                      Kokkos_Profiling_KokkosPDeviceInfo* devices);
  static void on_settings(std::uint32_t count, Kokkos_Tools_ToolSettings* settings);
  static void on_begin_copy(handle to, char const* to_label, void const* to_data, handle from, char const* from_label,
                            void const* from_data, std::uint64_t bytes);
  static void on_end_copy();
  static void on_allocate(handle space, char const* label, void const* pointer, std::uint64_t bytes);
  static void on_deallocate(handle space, char const* label, void const* pointer, std::uint64_t bytes);
  static void on_fence(char const* label, std::uint32_t device, std::uint64_t* id);
  static void on_for(char const* label, std::uint32_t device, std::uint64_t* id);
  static void on_reduce(char const* label, std::uint32_t device, std::uint64_t* id);
  static void on_scan(char const* label, std::uint32_t device, std::uint64_t* id);
  static void on_push(char const* label);
  static void on_pop();

  std::mutex m_mutex;
  int m_recorders = 0;
  int m_kernel_recorders = 0;
  bool m_linked_before_initialize = false;
  bool m_saw_initialize = false;
  bool m_fences_kernels = true;

  struct {
    slot<Kokkos_Profiling_initFunction> init;
    slot<Kokkos_Tools_requestToolSettingsFunction> settings;
    slot<Kokkos_Profiling_beginDeepCopyFunction> begin_copy;
    slot<Kokkos_Profiling_endDeepCopyFunction> end_copy;
    slot<Kokkos_Profiling_allocateDataFunction> allocate;
    slot<Kokkos_Profiling_deallocateDataFunction> deallocate;
    slot<Kokkos_Profiling_beginFenceFunction> fence;
    slot<Kokkos_Profiling_beginFunction> begin_for;
    slot<Kokkos_Profiling_beginFunction> begin_reduce;
    slot<Kokkos_Profiling_beginFunction> begin_scan;
    slot<Kokkos_Profiling_pushFunction> push;
    slot<Kokkos_Profiling_popFunction> pop;
  } m_slots;
};

inline tools_hooks& hooks() { return process_state<tools_hooks>(); }

inline void tools_hooks::on_init(int sequence, std::uint64_t version, std::uint32_t count,
                                 Kokkos_Profiling_KokkosPDeviceInfo* devices) {
  forward(hooks().m_slots.init, sequence, version, count, devices);
  hooks().m_saw_initialize = true;
}

inline void tools_hooks::on_settings(std::uint32_t count, Kokkos_Tools_ToolSettings* settings) {
  if (!hooks().others_watch_kernels())
    settings->requires_global_fencing = false;
  forward(hooks().m_slots.settings, count, settings);
  hooks().m_fences_kernels = settings->requires_global_fencing;
}

inline void tools_hooks::on_begin_copy(handle to, char const* to_label, void const* to_data, handle from,
                                       char const* from_label, void const* from_data, std::uint64_t bytes) {
  forward(hooks().m_slots.begin_copy, to, to_label, to_data, from, from_label, from_data, bytes);
  if (hooks().m_recorders > 0)
    hooks().log.begin_copy(to, to_label, to_data, from, from_label, from_data, bytes);
}

inline void tools_hooks::on_end_copy() {
  forward(hooks().m_slots.end_copy);
  if (hooks().m_recorders > 0)
    hooks().log.end_copy();
}

inline void tools_hooks::on_allocate(handle space, char const* label, void const* pointer, std::uint64_t bytes) {
  forward(hooks().m_slots.allocate, space, label, pointer, bytes);
  if (hooks().m_recorders > 0)
    hooks().log.allocate(space, label, pointer, bytes);
}

inline void tools_hooks::on_deallocate(handle space, char const* label, void const* pointer, std::uint64_t bytes) {
  forward(hooks().m_slots.deallocate, space, label, pointer, bytes);
  if (hooks().m_recorders > 0)
    hooks().log.deallocate(space, label, pointer, bytes);
}

inline void tools_hooks::on_fence(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_slots.fence, label, device, id);
  if (hooks().m_recorders > 0)
    hooks().log.fence(label, device);
}

inline void tools_hooks::on_for(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_slots.begin_for, label, device, id);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.kernel(label, device);
}

inline void tools_hooks::on_reduce(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_slots.begin_reduce, label, device, id);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.kernel(label, device);
}

inline void tools_hooks::on_scan(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_slots.begin_scan, label, device, id);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.kernel(label, device);
}

inline void tools_hooks::on_push(char const* label) {
  forward(hooks().m_slots.push, label);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.push_region(label);
}

inline void tools_hooks::on_pop() {
  forward(hooks().m_slots.pop);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.pop_region();
}

} // namespace onetrip::detail
