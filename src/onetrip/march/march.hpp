// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/march_plan.hpp>
#include <onetrip/detail/march_update.hpp>
#include <onetrip/error.hpp>
#include <onetrip/march/boundary.hpp>
#include <onetrip/march/tuning.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace onetrip {

namespace detail {

/// The type that an update makes of doubles: a marcher's, where none is named.
template <class Update>
struct value_of_update {
  using type = double;
};
template <class Update>
  requires std::invocable<Update const&, double, double, double>
struct value_of_update<Update> {
  using type = std::remove_cvref_t<std::invoke_result_t<Update const&, double, double, double>>;
};
template <class Update>
  requires(!std::invocable<Update const&, double, double, double> &&
           std::invocable<Update const&, double, double, double, std::int64_t, std::int64_t>)
struct value_of_update<Update> {
  using type =
      std::remove_cvref_t<std::invoke_result_t<Update const&, double, double, double, std::int64_t, std::int64_t>>;
};

} // namespace detail

/// What a number of steps takes of a marcher.
struct march_cost {
  std::int64_t passes;     ///< kernels, each of which reads and writes the array once
  int depth;               ///< steps of each, but the last ones
  std::size_t bytes_moved; ///< read and written, without the halos
  double redundant_work;   ///< the rule's values that are computed again for halos, as a part of those asked for
};

/// Takes many time steps of a three-point rule on an array in one pass over memory, where plain stepping reads and
/// writes the array once a step.
///
/// `update` is the rule: `T operator()(T left, T centre, T right) const`, or with the point's index and the step's
/// number after them, both `std::int64_t`; `T` is float or double. It is called on the device, so it is a
/// KOKKOS_FUNCTION of a type at namespace scope; arrays that it needs (coefficients) are its members, Views. It may be
/// called several times for a point and a step, with neighbours that aren't a point's, the result then being dropped:
/// it must depend on nothing but what it is given, and change nothing.
///
/// Every value is the rule's of the same three values as in plain stepping. So the result has the same bits wherever
/// the compiler may not contract the rule's arithmetic in one place and not in another: where products are added by
/// `Kokkos::fma` alone, or the code is compiled with contraction off. Elsewhere it is equal to rounding.
template <execution_space ExecutionSpace, class Update, class Ends,
          class T = typename detail::value_of_update<Update>::type>
class marcher {
  static_assert(std::same_as<T, float> || std::same_as<T, double>, "onetrip::marcher: marches float and double");
  static_assert(detail::plain_update<Update, T> || detail::placed_update<Update, T>,
                "onetrip::marcher: the update must be callable, const, as update(left, centre, right) or "
                "update(left, centre, right, index, step)");
  static_assert(ends_of<Ends, T>, "onetrip::marcher: the ends are fixed_ends, insulated_ends, periodic_ends, or "
                                  "driven_ends of a functor that is callable, const, as value(end, step)");

public:
  using value_type = T;

  /// For arrays of `points` points. Allocates an array of that size, and on CPUs some 200 kB a thread; no kernel, no
  /// fence. Throws `error` where a number of `tuning` makes no sense.
  marcher(ExecutionSpace const& exec, std::size_t points, Update update, Ends ends, march_tuning const& tuning = {})
      : m_exec(exec), m_points(static_cast<std::int64_t>(points)), m_update(std::move(update)), m_ends(std::move(ends)),
        m_path(tuning.path), m_cut(detail::make_cut<T, Ends>(exec, m_points, tuning)),
        m_other(Kokkos::view_alloc(Kokkos::WithoutInitializing, "onetrip::march::other"), points),
        m_scratch(Kokkos::view_alloc(Kokkos::WithoutInitializing, "onetrip::march::scratch"),
                  m_path == march_path::tiles ? static_cast<std::size_t>(m_cut.template scratch<T>()) : 0) {}

  marcher(marcher const&) = delete;
  marcher& operator=(marcher const&) = delete;

  /// Takes `steps` steps on `u`, which has the result: `cost(steps).passes` kernels "onetrip::march::pass" on the
  /// marcher's instance, an even number, each reading and writing the array once. Returns at once; no fence, no
  /// allocation, no copy. The steps are numbered from `first_step` on.
  ///
  /// `u` has rank 1, unit stride, and the marcher's type and number of points; nothing that the update reads may be in
  /// its memory. Throws `shape_error` for another number of points, and `error` for another stride or negative steps;
  /// then nothing has run.
  template <view_like View>
  void operator()(View const& u, std::int64_t steps, std::int64_t first_step = 0) {
    static_assert(View::rank() == 1, "onetrip::marcher: marches Views of rank 1");
    static_assert(std::same_as<typename View::value_type, T>,
                  "onetrip::marcher: the View's elements are not of the marcher's type, or const");
    static_assert(accessible_from<View, ExecutionSpace>,
                  "onetrip::marcher: the View's memory is not accessible from the marcher's execution space; copy it "
                  "to the device, or march in a space of the host's");
    require(u, steps);
    if (m_points == 0)
      return;
    detail::pass_plan const plan(steps, depth());
    T* from = u.data();
    T* to = m_other.data();
    for (std::int64_t taken = 0, p = 0; p < plan.passes; ++p) {
      auto const pass_depth = static_cast<int>(Kokkos::min<std::int64_t>(plan.depth, steps - taken));
      detail::pass<T, Update, Ends> const what{from, to, m_points, first_step + taken, pass_depth, m_update, m_ends};
      if (m_path == march_path::stepping)
        detail::run_step(m_exec, m_label, what);
      else
        detail::run_tiles(m_exec, m_label, what, m_cut, m_scratch.data());
      taken += pass_depth;
      std::swap(from, to);
    }
  }

  /// What that many steps take.
  march_cost cost(std::int64_t steps) const {
    detail::pass_plan const plan(steps, depth());
    bool const in_tiles = m_path == march_path::tiles;
    return {plan.passes, plan.depth,
            2 * sizeof(T) * static_cast<std::size_t>(m_points) * static_cast<std::size_t>(plan.passes),
            in_tiles ? m_cut.redundancy(plan.depth) : 0};
  }

  /// What the marcher settled on.
  march_tuning tuning() const {
    return {m_path, m_path == march_path::tiles ? static_cast<int>(m_cut.lane_points) : 0, depth()};
  }

private:
  using array = Kokkos::View<T*, typename ExecutionSpace::memory_space>;

  int depth() const { return m_path == march_path::tiles ? m_cut.depth : 1; }

  template <class View>
  void require(View const& u, std::int64_t steps) const {
    auto const name = [&u] { return "onetrip::marcher: the View '" + u.label() + "'"; };
    if (u.extent(0) != static_cast<std::size_t>(m_points))
      throw shape_error(name() + " has " + std::to_string(u.extent(0)) + " points, the marcher is made for " +
                        std::to_string(m_points));
    if (m_points > 1 && u.stride(0) != 1)
      throw error(name() + " has stride " + std::to_string(u.stride(0)) + "; a marcher takes stride 1");
    if (steps < 0)
      throw error(name() + " is to take " + std::to_string(steps) + " steps; steps must not be negative");
  }

  ExecutionSpace m_exec;
  std::int64_t m_points;
  Update m_update;
  Ends m_ends;
  march_path m_path;
  decltype(detail::make_cut<T, Ends>(std::declval<ExecutionSpace const&>(), 0, march_tuning())) m_cut;
  array m_other;
  array m_scratch;
  std::string m_label = "onetrip::march::pass";
};

/// Takes `steps` steps on `u`, as a marcher made for it does. Allocates what a marcher does and frees it, and so fences
/// the instance once.
template <execution_space ExecutionSpace, view_like View, class Update, class Ends>
void march(ExecutionSpace const& exec, View const& u, std::int64_t steps, Update const& update, Ends const& ends,
           march_tuning const& tuning = {}) {
  static_assert(View::rank() == 1, "onetrip::march: marches Views of rank 1");
  marcher<ExecutionSpace, Update, Ends, typename View::value_type> m(exec, u.extent(0), update, ends, tuning);
  m(u, steps);
  exec.fence("onetrip::march::done");
}

} // namespace onetrip
