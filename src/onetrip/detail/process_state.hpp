// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// One state a process, also where several shared libraries are built with hidden visibility.

namespace onetrip::detail {

/// The process's one `T`, made at the first call and never destroyed, so that callbacks may come at any time until
/// exit. `T` must have default visibility too, or each shared library gets a state of its own.
template <class T>
[[gnu::visibility("default")]] T& process_state() {
  static T* const state = new T;
  return *state;
}

} // namespace onetrip::detail
