// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>

namespace onetrip {

/// What every part of onetrip throws, in every build type; the message names the function, the operands and the rule
/// that was broken. Each part adds its kinds below this one. Visible across shared libraries, whatever their flags.
class [[gnu::visibility("default")]] error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Thrown by a recorder that can't see what it was made to see.
class [[gnu::visibility("default")]] not_observing : public error {
public:
  using error::error;
};

/// Thrown where the shapes of Views don't fit each other.
class [[gnu::visibility("default")]] shape_error : public error {
public:
  using error::error;
};

/// Thrown where Views share memory in a way that would make the result depend on the order of the elements.
class [[gnu::visibility("default")]] alias_error : public error {
public:
  using error::error;
};

/// Thrown where a View is asked for on the device and isn't there.
class [[gnu::visibility("default")]] not_present : public error {
public:
  using error::error;
};

/// Thrown where a View shares memory with what is on the device, but isn't a part of it.
class [[gnu::visibility("default")]] partially_present : public error {
public:
  using error::error;
};

/// Thrown where the device has too little memory for a copy.
class [[gnu::visibility("default")]] out_of_memory : public error {
public:
  using error::error;
};

} // namespace onetrip
