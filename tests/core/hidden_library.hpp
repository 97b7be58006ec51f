// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>

#define DECLARE_HIDDEN_LIBRARY(name)                                                                                   \
  namespace name {                                                                                                     \
  void copy(Kokkos::View<int*> const& to, Kokkos::View<int*, Kokkos::HostSpace> const& from);                          \
  std::size_t uploads_seen(Kokkos::View<int*> const& to, void (*work)());                                              \
  void const* hooks();                                                                                                 \
  void const* table();                                                                                                 \
  void fail();                                                                                                         \
  }

DECLARE_HIDDEN_LIBRARY(hidden_one)
DECLARE_HIDDEN_LIBRARY(hidden_other)
