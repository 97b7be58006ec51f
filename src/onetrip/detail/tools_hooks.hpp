// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/event_log.hpp>
#include <onetrip/detail/process_state.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <mutex>

// The one place that takes Kokkos' callbacks and gives them back. Kokkos has one slot for each: what stood there before is
// called first, so that a tool loaded by KOKKOS_TOOLS_LIBS sees what it would see without us.

namespace onetrip::detail {

/// One of Kokkos' slots for a callback, as it was before ours came in.
template <class Function>
struct slot {
  Function previous = nullptr;
  bool linked = false; // ours is called, directly or by a callback that came after it

  void link(Function& current, Function ours) {
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

  /// Whether Kokkos::initialize asked us: not so where it loaded a tools library, which overwrites every callback.
  bool saw_initialize() const { return m_saw_initialize; }

  /// Whether Kokkos fences before each callback of a kernel or region. It asks once, in Kokkos::initialize.
  bool fences_kernels() const { return m_fences_kernels; }

private:
  using event_set = Kokkos::Tools::Experimental::EventSet;
  using handle = Kokkos::Tools::SpaceHandle;

  void relink() {
    event_set set = Kokkos::Tools::Experimental::get_callbacks();
    change(m_init, set.init, &on_init, m_recorders);
    change(m_settings, set.request_tool_settings, &on_settings, m_recorders);
    change(m_begin_copy, set.begin_deep_copy, &on_begin_copy, m_recorders);
    change(m_end_copy, set.end_deep_copy, &on_end_copy, m_recorders);
    change(m_allocate, set.allocate_data, &on_allocate, m_recorders);
    change(m_deallocate, set.deallocate_data, &on_deallocate, m_recorders);
    change(m_fence, set.begin_fence, &on_fence, m_recorders);
    change(m_for, set.begin_parallel_for, &on_for, m_kernel_recorders);
    change(m_reduce, set.begin_parallel_reduce, &on_reduce, m_kernel_recorders);
    change(m_scan, set.begin_parallel_scan, &on_scan, m_kernel_recorders);
    change(m_push, set.push_region, &on_push, m_kernel_recorders);
    change(m_pop, set.pop_region, &on_pop, m_kernel_recorders);
    Kokkos::Tools::Experimental::set_callbacks(set);
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
  bool m_saw_initialize = false;
  bool m_fences_kernels = true;

  slot<Kokkos_Profiling_initFunction> m_init;
  slot<Kokkos_Tools_requestToolSettingsFunction> m_settings;
  slot<Kokkos_Profiling_beginDeepCopyFunction> m_begin_copy;
  slot<Kokkos_Profiling_endDeepCopyFunction> m_end_copy;
  slot<Kokkos_Profiling_allocateDataFunction> m_allocate;
  slot<Kokkos_Profiling_deallocateDataFunction> m_deallocate;
  slot<Kokkos_Profiling_beginFenceFunction> m_fence;
  slot<Kokkos_Profiling_beginFunction> m_for;
  slot<Kokkos_Profiling_beginFunction> m_reduce;
  slot<Kokkos_Profiling_beginFunction> m_scan;
  slot<Kokkos_Profiling_pushFunction> m_push;
  slot<Kokkos_Profiling_popFunction> m_pop;
};

inline tools_hooks& hooks() {
  return process_state<tools_hooks>();
}

inline void tools_hooks::on_init(int sequence, std::uint64_t version, std::uint32_t count,
                                 Kokkos_Profiling_KokkosPDeviceInfo* devices) {
  forward(hooks().m_init, sequence, version, count, devices);
  hooks().m_saw_initialize = true;
}

inline void tools_hooks::on_settings(std::uint32_t count, Kokkos_Tools_ToolSettings* settings) {
  if (hooks().m_settings.previous == nullptr)
    settings->requires_global_fencing = false;
  forward(hooks().m_settings, count, settings); // another tool may need the fences
  hooks().m_fences_kernels = settings->requires_global_fencing;
}

inline void tools_hooks::on_begin_copy(handle to, char const* to_label, void const* to_data, handle from,
                                       char const* from_label, void const* from_data, std::uint64_t bytes) {
  forward(hooks().m_begin_copy, to, to_label, to_data, from, from_label, from_data, bytes);
  if (hooks().m_recorders > 0)
    hooks().log.begin_copy(to, to_label, to_data, from, from_label, from_data, bytes);
}

inline void tools_hooks::on_end_copy() {
  forward(hooks().m_end_copy);
  if (hooks().m_recorders > 0)
    hooks().log.end_copy();
}

inline void tools_hooks::on_allocate(handle space, char const* label, void const* pointer, std::uint64_t bytes) {
  forward(hooks().m_allocate, space, label, pointer, bytes);
  if (hooks().m_recorders > 0)
    hooks().log.allocate(space, label, pointer, bytes);
}

inline void tools_hooks::on_deallocate(handle space, char const* label, void const* pointer, std::uint64_t bytes) {
  forward(hooks().m_deallocate, space, label, pointer, bytes);
  if (hooks().m_recorders > 0)
    hooks().log.deallocate(space, label, pointer, bytes);
}

inline void tools_hooks::on_fence(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_fence, label, device, id);
  if (hooks().m_recorders > 0)
    hooks().log.fence(label, device);
}

inline void tools_hooks::on_for(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_for, label, device, id);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.kernel(label, device);
}

inline void tools_hooks::on_reduce(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_reduce, label, device, id);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.kernel(label, device);
}

inline void tools_hooks::on_scan(char const* label, std::uint32_t device, std::uint64_t* id) {
  forward(hooks().m_scan, label, device, id);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.kernel(label, device);
}

inline void tools_hooks::on_push(char const* label) {
  forward(hooks().m_push, label);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.push_region(label);
}

inline void tools_hooks::on_pop() {
  forward(hooks().m_pop);
  if (hooks().m_kernel_recorders > 0)
    hooks().log.pop_region();
}

} // namespace onetrip::detail
