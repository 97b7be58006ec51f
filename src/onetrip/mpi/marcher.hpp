// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/launch.hpp>
#include <onetrip/detail/march_plan.hpp>
#include <onetrip/detail/mpi_communicator.hpp>
#include <onetrip/detail/mpi_exchange.hpp>
#include <onetrip/detail/mpi_partition.hpp>
#include <onetrip/detail/mpi_probe.hpp>
#include <onetrip/error.hpp>
#include <onetrip/march/march.hpp>

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace onetrip::detail {

template <class T>
struct copy_points {
  T const* from;
  T* to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to[i] = from[i]; }
};

} // namespace onetrip::detail

namespace onetrip::mpi {

/// What a marcher over ranks settles on, or is told.
struct march_tuning {
  std::int64_t halo = 0;       ///< points at each side of a part, and steps between two exchanges; 0: as measured
  onetrip::march_tuning local; ///< of each part with its halos
};

/// What a number of steps takes on this rank.
struct march_cost {
  std::int64_t exchanges;
  std::int64_t messages;   ///< that this rank sends to others
  std::int64_t bytes_sent; ///< in them
  double redundant_work;   ///< the halos' points, as a part of the rank's own
};

/// Messages that a rank has sent to others, and their bytes.
struct sent {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

/// A `onetrip::marcher` of an array that is spread over the ranks of a communicator, each of which has a part: the
/// first rank the first points, and so on. The parts may have any sizes, 0, too. Instead of a point at each side
/// every step, `halo` points are exchanged every `halo` steps and computed by both ranks between: the same update of
/// the same values, so that the result has the bits of one marcher that has the whole array, whatever the parts.
///
/// Updates and ends are those of `onetrip::marcher`, and the same on all ranks; indices are those of the whole array.
/// An update is called for the points of a part's halos, too: those it must know.
///
/// All that is said to be collective must be called by all ranks, in the same order. An argument that is wrong on one
/// rank throws on all of them. What MPI reports throws `error` on the rank that sees it; the others may wait for it, so
/// a program should then call MPI_Abort.
template <execution_space ExecutionSpace, class Update, class Ends,
          class T = typename onetrip::detail::value_of_update<Update>::type>
class marcher {
public:
  using value_type = T;

  /// For parts of `points` points on this rank. Collective. Duplicates the communicator, and allocates the part with
  /// its halos twice, and what a marcher does; unless told a halo it measures one, by some tens of exchanges and steps
  /// on memory of its own, with their kernels and fences. Throws `error` where MPI isn't initialized or is finalized,
  /// where a number of `tuning` makes no sense, and where ranks disagree on the type, the kind of ends or the halo.
  marcher(MPI_Comm comm, ExecutionSpace const& exec, std::size_t points, Update update, Ends ends,
          march_tuning const& tuning = {})
      : m_comm(comm), m_exec(exec), m_update(std::move(update)), m_ends(std::move(ends)), m_asked(tuning.local),
        m_parts(agreed_parts(static_cast<std::int64_t>(points), tuning), periodic) {
    if (m_parts.in_one_part())
      make(0);
    else
      make(tuning.halo != 0 ? std::min(tuning.halo, m_parts.points()) : measured_halo());
  }

  marcher(marcher const&) = delete;
  marcher& operator=(marcher const&) = delete;

  /// Collective, since it gives the communicator back; does nothing after MPI_Finalize.
  ~marcher() = default;

  /// Takes `steps` steps on the array of which `u` is this rank's part, and has its part of the result. Collective.
  /// One reduction of a few bytes; then two kernels that copy the part, and, for every `halo` steps, an exchange and
  /// the passes of a marcher. An exchange is one fence of the marcher's instance, the messages and, where the host
  /// can't reach the device's memory, up to four transfers through pinned host memory. The last kernels run on when it
  /// returns. The steps are numbered from `first_step` on.
  ///
  /// `u` has rank 1, unit stride, and the marcher's type and number of points. Throws, on all ranks: `shape_error` and
  /// `error` as a marcher does, `error` where the ranks disagree on `steps` or `first_step`; then nothing has run.
  template <view_like View>
  void operator()(View const& u, std::int64_t steps, std::int64_t first_step = 0) {
    static_assert(View::rank() == 1, "onetrip::mpi::marcher: marches Views of rank 1");
    static_assert(std::is_same_v<typename View::value_type, T>,
                  "onetrip::mpi::marcher: the View's elements are not of the marcher's type, or const");
    static_assert(accessible_from<View, ExecutionSpace>,
                  "onetrip::mpi::marcher: the View's memory is not accessible from the marcher's execution space");
    m_comm.agree(fault_of([&] { require(u, steps); }), {{"steps", steps}, {"first_step", first_step}});
    if (size() == 0 || steps == 0)
      return;
    T* const own = m_state.data() + m_part.own;
    onetrip::detail::launch_for(m_exec, "onetrip::mpi::copy_in", size(),
                                onetrip::detail::copy_points<T>{u.data(), own});
    for (std::int64_t taken = 0; taken < steps;) {
      std::int64_t const more = m_halo == 0 ? steps : std::min(m_halo, steps - taken);
      (*m_exchange)();
      m_sent.messages += m_exchange->messages();
      m_sent.bytes += m_exchange->bytes();
      (*m_march)(m_state, more, first_step + taken);
      taken += more;
    }
    onetrip::detail::launch_for(m_exec, "onetrip::mpi::copy_out", size(),
                                onetrip::detail::copy_points<T>{own, u.data()});
  }

  /// What that many steps take on this rank.
  march_cost cost(std::int64_t steps) const {
    if (size() == 0)
      return {};
    std::int64_t const exchanges = m_halo == 0 ? 0 : (steps + m_halo - 1) / m_halo;
    return {exchanges, exchanges * m_exchange->messages(), exchanges * m_exchange->bytes(),
            static_cast<double>(m_part.points - size()) / static_cast<double>(size())};
  }

  /// What this rank has sent so far, measuring aside.
  mpi::sent sent() const { return m_sent; }

  /// What the marcher settled on; a halo of 0 where one rank has the whole array. The halo is the same on all ranks.
  march_tuning tuning() const { return {m_halo, m_march->tuning()}; }

  /// What the halo was chosen by, of the rank that had most to do; nothing where it was not measured.
  double exchange_seconds() const { return m_exchange_seconds; }
  double points_per_second() const { return m_points_per_second; }

private:
  static constexpr bool periodic = std::is_same_v<Ends, periodic_ends>;
  static constexpr std::int64_t most_halo = std::int64_t(1) << 30; // that messages count in an int
  static constexpr bool knows_step = !onetrip::detail::plain_update<Update, T>;
  static constexpr bool has_plain_ends =
      periodic || std::is_same_v<Ends, fixed_ends> || std::is_same_v<Ends, insulated_ends>;
  using local_update = decltype(onetrip::detail::update_of_part<T, Update, Ends>(std::declval<Update const&>(), 0, 0));
  using array = Kokkos::View<T*, typename ExecutionSpace::memory_space>;
  using exchange = onetrip::detail::halo_exchange<T, ExecutionSpace>;

  template <class F>
  static std::exception_ptr fault_of(F const& f) {
    try {
      f();
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  std::int64_t size() const { return m_parts.size(m_comm.rank()); }

  std::vector<std::int64_t> agreed_parts(std::int64_t points, march_tuning const& tuning) const {
    int const kind = periodic ? 2 : std::is_same_v<Ends, fixed_ends> ? 0 : has_plain_ends ? 1 : 3;
    auto const fault = fault_of([&] {
      if (tuning.halo < 0 || tuning.halo > most_halo)
        throw error("onetrip::mpi::marcher: halo must be from 0 to " + std::to_string(most_halo) + ", but is " +
                    std::to_string(tuning.halo));
      (void)onetrip::detail::make_cut<T, Ends>(m_exec, points, tuning.local);
    });
    m_comm.agree(fault, {{"the bytes of a value", sizeof(T)}, {"the kind of ends", kind}, {"halo", tuning.halo}});
    return m_comm.gather(points);
  }

  /// The state with that halo, and what moves it.
  void make(std::int64_t halo) {
    m_exchange.reset();
    m_march.reset();
    m_state = {};
    auto const fault = fault_of([&] {
      m_halo = halo;
      m_part = m_parts.extended(m_comm.rank(), halo);
      m_state = array(Kokkos::view_alloc(m_exec, "onetrip::mpi::state"), static_cast<std::size_t>(m_part.points));
      m_march = std::make_unique<onetrip::marcher<ExecutionSpace, local_update, Ends, T>>(
          m_exec, m_state.extent(0),
          onetrip::detail::update_of_part<T, Update, Ends>(m_update, m_part.first, m_parts.points()), m_ends, m_asked);
      m_exchange = std::make_unique<exchange>(m_comm, m_exec, m_parts, halo, m_state.data());
    });
    m_comm.agree(fault, {});
  }

  std::int64_t measured_halo() {
    std::int64_t const most = std::min({most_halo, m_parts.points(), m_parts.largest()});
    make(std::min<std::int64_t>(most, 1024));
    onetrip::detail::part_speed own{};
    m_comm.agree(fault_of([&] { own = speed(); }), {});
    auto const all = m_comm.gather(own);
    double exchange_seconds = 0;
    auto busiest = all.front();
    for (onetrip::detail::part_speed const& of : all) {
      exchange_seconds = std::max(exchange_seconds, of.exchange_seconds);
      if (of.step_seconds > busiest.step_seconds)
        busiest = of;
    }
    m_exchange_seconds = exchange_seconds;
    m_points_per_second = static_cast<double>(busiest.points) / busiest.step_seconds;
    return onetrip::detail::best_halo(m_exchange_seconds, m_points_per_second, busiest.depth, most);
  }

  onetrip::detail::part_speed speed() {
    std::array<double, 9> seconds{};
    for (double& s : seconds)
      s = seconds_of([&] { (*m_exchange)(); });
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    double const exchange_seconds = seconds[seconds.size() / 2];
    if (size() == 0)
      return {exchange_seconds, 0, 0, 0};
    if constexpr (!knows_step && has_plain_ends)
      return {exchange_seconds, seconds_of_step(*m_march), m_part.points, m_march->tuning().depth};
    onetrip::marcher<ExecutionSpace, onetrip::detail::probing_update<T>, fixed_ends, T> probe(m_exec, m_state.extent(0),
                                                                                              {}, {}, m_asked);
    return {exchange_seconds, seconds_of_step(probe), m_part.points, probe.tuning().depth};
  }

  double seconds_of_step(auto& march) {
    int const steps = 2 * std::min(march.tuning().depth, 64);
    march(m_state, steps);
    double best = seconds_of([&] { march(m_state, steps); });
    for (int again = 0; again < 2; ++again)
      best = std::min(best, seconds_of([&] { march(m_state, steps); }));
    return best / steps;
  }

  double seconds_of(auto const& work) const {
    m_exec.fence("onetrip::mpi::measure");
    auto const begin = std::chrono::steady_clock::now();
    work();
    m_exec.fence("onetrip::mpi::measure");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  template <class View>
  void require(View const& u, std::int64_t steps) const {
    auto const name = [&u] { return "onetrip::mpi::marcher: the View '" + u.label() + "'"; };
    if (u.extent(0) != static_cast<std::size_t>(size()))
      throw shape_error(name() + " has " + std::to_string(u.extent(0)) + " points, this rank's part has " +
                        std::to_string(size()));
    if (size() > 1 && u.stride(0) != 1)
      throw error(name() + " has stride " + std::to_string(u.stride(0)) + "; a marcher takes stride 1");
    if (steps < 0)
      throw error(name() + " is to take " + std::to_string(steps) + " steps; steps must not be negative");
  }

  onetrip::detail::communicator m_comm;
  ExecutionSpace m_exec;
  Update m_update;
  Ends m_ends;
  onetrip::march_tuning m_asked;
  onetrip::detail::partition m_parts;
  std::int64_t m_halo = 0;
  onetrip::detail::extended_part m_part{};
  array m_state;
  std::unique_ptr<onetrip::marcher<ExecutionSpace, local_update, Ends, T>> m_march;
  std::unique_ptr<exchange> m_exchange;
  mpi::sent m_sent;
  double m_exchange_seconds = 0;
  double m_points_per_second = 0;
};

} // namespace onetrip::mpi
