// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/process_state.hpp>
#include <onetrip/error.hpp>

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace onetrip {

/// What a region does where the device can read the host's memory: builds for CPUs, and managed memory. (Pinned memory
/// has a copy: the device would read it through the bus again and again.)
enum class alias {
  automatic, ///< no copy: the device works on the host's array, and entering and leaving moves nothing
  never,     ///< a copy of its own, as where it can't
  distinct,  ///< a copy of its own, and poison wherever nothing valid is: on the device in what is created and in what
            ///< is given back; on the host, from the first write on the device on, in what is copied back. For tests: a
            ///< forgotten update shows as NaN, or -262149 in a 32-bit integer. Everything costs a pass more
};

namespace detail {

#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
template <class Memory>
inline constexpr bool is_pinned =
    std::is_same_v<Memory, Kokkos::SharedHostPinnedSpace> && !std::is_same_v<Memory, Kokkos::HostSpace>;
#else
template <class Memory>
inline constexpr bool is_pinned = false;
#endif

/// Whether a View needs no copy for `Exec`.
template <class View, class Exec>
inline constexpr bool shares_memory = accessible_from<View, Exec> && !is_pinned<typename View::memory_space>;

struct [[gnu::visibility("default")]] alias_setting {
  std::atomic<alias> how{from_environment()};

  static alias from_environment() {
    char const* const value = std::getenv("ONETRIP_ALIAS");
    std::string const text = value == nullptr ? "auto" : value;
    if (text == "auto" || text.empty())
      return alias::automatic;
    if (text == "never")
      return alias::never;
    if (text == "distinct")
      return alias::distinct;
    throw error("onetrip::region: the environment variable ONETRIP_ALIAS is '" + text +
                "', none of auto, never, distinct");
  }
};

} // namespace detail

/// What regions do that don't say it themselves: at first what the environment variable ONETRIP_ALIAS says, `auto`,
/// `never` or `distinct`. Throws `error` where it says anything else.
inline alias default_alias() { return detail::process_state<detail::alias_setting>().how; }

/// From here on, in the whole process. Changes nothing of what is present.
inline void set_default_alias(alias how) { detail::process_state<detail::alias_setting>().how = how; }

} // namespace onetrip
