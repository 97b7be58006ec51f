// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>

// Events as Kokkos would report them, of any spaces and in any order: they go through the callbacks that are set now.

namespace test_support {

class event_source {
public:
  static void begin_copy(char const* to_space, char const* to, void const* to_data, char const* from_space,
                         char const* from, void const* from_data, std::uint64_t bytes) {
    callbacks().begin_deep_copy(handle(to_space), to, to_data, handle(from_space), from, from_data, bytes);
  }
  static void end_copy() { callbacks().end_deep_copy(); }
  static void kernel(char const* label, std::uint32_t device = 0) {
    std::uint64_t id = 0;
    callbacks().begin_parallel_for(label, device, &id);
  }
  static void fence(char const* label, std::uint32_t device = 0) {
    std::uint64_t id = 0;
    callbacks().begin_fence(label, device, &id);
  }
  static void push(char const* label) { callbacks().push_region(label); }
  static void pop() { callbacks().pop_region(); }
  static void allocate(char const* space, char const* label, void const* pointer, std::uint64_t bytes) {
    callbacks().allocate_data(handle(space), label, pointer, bytes);
  }
  static void deallocate(char const* space, char const* label, void const* pointer, std::uint64_t bytes) {
    callbacks().deallocate_data(handle(space), label, pointer, bytes);
  }

private:
  static Kokkos::Tools::Experimental::EventSet callbacks() { return Kokkos::Tools::Experimental::get_callbacks(); }

  // As Kokkos makes it: 63 bytes, the last one left as it was.
  static Kokkos::Tools::SpaceHandle handle(char const* name) {
    Kokkos::Tools::SpaceHandle made;
    std::memset(made.name, 'x', sizeof made.name);
    std::strncpy(made.name, name, sizeof made.name - 1);
    return made;
  }
};

/// An address that nothing lies at; only compared, never read.
// NOLINTNEXTLINE(performance-no-int-to-ptr): so there is no pointer to begin with
inline void* at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

} // namespace test_support
