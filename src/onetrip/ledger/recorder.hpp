// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/tools_hooks.hpp>
#include <onetrip/error.hpp>
#include <onetrip/ledger/account.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <ostream>

namespace onetrip {

/// What a recorder watches.
enum class watch {
  everything, ///< copies, fills, allocations, fences, kernels and regions
  copies, ///< copies, fills, allocations and fences: adds no fence, whenever it is made. Packed copies show their span
};

/// Records everything that Kokkos does in this process while it lives, raw `deep_copy` included: for tests and for
/// programs that report what they moved.
///
///     onetrip::recorder rec;
///     solve();
///     EXPECT_LE(rec.transfers(onetrip::to_device).bytes, budget) << rec;
///
/// Costs: no kernel and no transfer; 0.1 to 0.2 us and about 150 bytes an event, kept while the oldest recorder lives.
/// A recorder of `everything` made after `Kokkos::initialize` makes Kokkos fence before every kernel and region
/// (`adds_fences()` says so): never time what it watches. One made before `Kokkos::initialize`, or of `copies`, adds no
/// fence.
///
/// Callbacks that are set already are called first, and are put back. Recorders nest and may overlap; several host
/// threads may run Kokkos work meanwhile. Make and destroy a recorder where no other thread runs Kokkos work.
///
/// Throws: `not_observing`, where `Kokkos::initialize` loaded a tools library after this recorder was made, which
/// overwrites its callbacks: make it after `Kokkos::initialize` then.
class recorder {
public:
  explicit recorder(watch what = watch::everything) : m_watch(what), m_before_initialize(!Kokkos::is_initialized()) {
    detail::hooks().attach(what == watch::everything);
    m_first = detail::hooks().log.size();
  }

  recorder(recorder const&) = delete;
  recorder& operator=(recorder const&) = delete;

  ~recorder() { detail::hooks().detach(m_watch == watch::everything); }

  /// On a build where host and device share one memory space: counts copies from and to this View's memory as copies
  /// from and to the device, until the View is freed or every recorder is gone. Elsewhere a device View needs none of
  /// this.
  template <class View>
  void stand_in(View const& view) {
    static_assert(view_like<View>,
                  "onetrip::recorder::stand_in: takes a Kokkos::View, whose memory plays the device's");
    detail::hooks().log.add_stand_in(view.data(), view.span() * sizeof(typename View::value_type));
  }

  /// What happened so far.
  account so_far() const {
    if (m_before_initialize && Kokkos::is_initialized() && detail::hooks().is_overwritten())
      throw not_observing(
          "onetrip::recorder: a tools library that Kokkos::initialize loaded has overwritten the callbacks "
          "of a recorder made before it; make the recorder after Kokkos::initialize");
    return detail::hooks().log.since(m_first, m_watch == watch::everything);
  }

  /// Transfers one way so far, and the bytes they moved.
  tally transfers(direction where) const { return so_far().transfers(where); }

  /// Whether Kokkos fences before every kernel and region now, since a recorder watches them: this one or another.
  bool adds_fences() const { return detail::hooks().adds_fences(); }

  /// The account, as a readable list.
  friend std::ostream& operator<<(std::ostream& out, recorder const& self) {
    if (self.adds_fences())
      out << "Recorded with a fence before every kernel and region: times taken meanwhile are not the program's own.\n";
    return out << self.so_far();
  }

private:
  watch m_watch;
  bool m_before_initialize;
  std::size_t m_first = 0;
};

} // namespace onetrip
