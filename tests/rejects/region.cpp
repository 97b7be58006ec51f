// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wrong.hpp"

#include <onetrip/onetrip.hpp>

#include <string>

// Wrong uses of regions, in the manner of wrong.hpp. Never run.

/// Memory that the host can't read, in every build.
struct far_memory {
  using memory_space = far_memory;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = std::size_t;
  static constexpr char const* name() { return "far"; }
};

void wrong_uses_of_region(Kokkos::View<double*, far_memory, Kokkos::MemoryUnmanaged> const& far) {
  using onetrip::copy, onetrip::copyin, onetrip::copyout, onetrip::create, onetrip::release;
  Kokkos::DefaultExecutionSpace const exec;
  Kokkos::View<double*, Kokkos::HostSpace> u("u", 3);
  Kokkos::View<double const*, Kokkos::HostSpace> const c = u;
  Kokkos::View<std::string*, Kokkos::HostSpace> const words("words", 3);
  (void)far, (void)words;

  (void)copyin(c);
  WRONG((void)copy(c);) // rejected: a View of const can't be written back; use onetrip::copyin
  (void)copyout(u);
  WRONG((void)copyout(c);) // rejected: a View of const can't be written back; use onetrip::copyin
  (void)create(u);
  WRONG((void)create(c);) // rejected: a View of const can't be written back; use onetrip::copyin
  (void)copyin(u);
  WRONG((void)copyin(far);) // rejected: a View of the device's memory is there already
  (void)copyin(u);
  WRONG((void)copyin(words);) // rejected: elements are copied byte by byte, and these are not trivially copyable
  (void)copy(u);
  WRONG((void)copy(u.data());) // rejected: a clause takes a Kokkos::View
  (void)onetrip::always(copy(u));
  WRONG((void)onetrip::always(create(u));) // rejected: takes a clause that has transfers: copy, copyin or copyout
  onetrip::enter_data(exec, copyin(u));
  LATER(onetrip::enter_data(exec, copy(u));) // rejected: takes copyin and create; what comes back says exit_data
  onetrip::exit_data(exec, copyout(u), release(u));
  LATER(onetrip::exit_data(exec, copyin(u));) // rejected: takes copyout and release
  onetrip::region const data(exec, copy(u));
  LATER(onetrip::region const wrong(exec, release(u));) // rejected: its end releases what it holds
  (void)onetrip::host_ro(exec, c);
  LATER((void)onetrip::host_rw(exec, c);) // rejected: a View of const can't be written; use onetrip::host_ro
  onetrip::update_device(exec, c);
  LATER(onetrip::update_host(exec, c);) // rejected: a View of const can't be written back; use onetrip::copyin
}
