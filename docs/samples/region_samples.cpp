// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What docs/region.md shows: a solver on its way from copies around each kernel to data that stays, each stage with its
// transfers.
#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <utility>

using host_matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

template <class From, class To>
struct diffuse {
  From u;
  To v;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t j) const {
    v(i, j) = i == 0 || i + 1 == u.extent(0) ? u(i, j) : 0.5 * u(i, j) + 0.25 * (u(i - 1, j) + u(i + 1, j));
  }
};

template <class From, class To>
void launch(Kokkos::DefaultExecutionSpace const& exec, From const& u, To const& v) {
  Kokkos::parallel_for("diffuse", Kokkos::MDRangePolicy<Kokkos::Rank<2>>(exec, {0, 0}, {u.extent(0), u.extent(1)}),
                       diffuse<From, To>{u, v});
}

void naive_step(Kokkos::DefaultExecutionSpace const& exec, host_matrix const& u, host_matrix const& v) {
  onetrip::region const data(exec, onetrip::copy(u), onetrip::copy(v)); // both arrays in, both out
  launch(exec, data.device(u), data.device(v));
}

void step(Kokkos::DefaultExecutionSpace const& exec, host_matrix const& u, host_matrix const& v) {
  onetrip::region const data(exec, onetrip::copyin(u), onetrip::copyout(v)); // u in, v out
  launch(exec, onetrip::device_ro(exec, u), onetrip::device_rw(exec, v));
}

void solve(Kokkos::DefaultExecutionSpace const& exec, host_matrix& u, host_matrix& v, int steps) {
  onetrip::region const data(exec, onetrip::copy(u), onetrip::create(v)); // the one line: u in once, u out once
  for (int s = 0; s < steps; ++s) {
    step(exec, u, v);
    onetrip::swap(u, v);
  }
}

template <class Output>
void solve_with_output(Kokkos::DefaultExecutionSpace const& exec, host_matrix& u, host_matrix& v, int steps, int every,
                       Output const& output) {
  onetrip::region const data(exec, onetrip::copy(u), onetrip::create(v));
  for (int s = 1; s <= steps; ++s) {
    step(exec, u, v);
    onetrip::swap(u, v);
    if (s % every == 0) {
      auto const column = Kokkos::subview(u, Kokkos::ALL, 3);
      onetrip::update_host(exec, column); // one packed transfer of the column's bytes, from an array that is strided
      output(column);
    }
  }
}

// An object whose arrays stay on the device as long as it lives
class simulation {
public:
  simulation(Kokkos::DefaultExecutionSpace exec, std::size_t n)
      : m_exec(std::move(exec)), m_u("u", n, n), m_v("v", n, n) {
    onetrip::enter_data(m_exec, onetrip::copyin(m_u), onetrip::create(m_v));
  }
  simulation(simulation const&) = delete;
  simulation& operator=(simulation const&) = delete;
  // NOLINTNEXTLINE(bugprone-exception-escape): what enter_data brought can be released
  ~simulation() { onetrip::exit_data(m_exec, onetrip::release(m_u), onetrip::release(m_v)); }

  void advance() {
    step(m_exec, m_u, m_v);
    onetrip::swap(m_u, m_v);
  }
  auto state() const { return onetrip::host_ro(m_exec, m_u); } // downloads where the device has newer values

private:
  Kokkos::DefaultExecutionSpace m_exec;
  host_matrix m_u, m_v;
};

class region_samples : public testing::Test {
protected:
  void SetUp() override {
    onetrip::set_default_alias(onetrip::alias::distinct);
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < 10; ++j)
        u(i, j) = static_cast<double>(i * i);
  }
  void TearDown() override { onetrip::set_default_alias(onetrip::alias::automatic); }

  /// Row 3 has moved by a quarter of the second difference a step, 0.5, as long as the edges are far.
  void expect_steps(host_matrix const& state, int steps) {
    for (std::size_t j = 0; j < 10; ++j)
      EXPECT_EQ(state(3, j), 9 + 0.5 * steps);
  }

  Kokkos::DefaultExecutionSpace exec;
  host_matrix u{"u", 8, 10}, v{"v", 8, 10};
  static constexpr std::size_t array = 80 * sizeof(double);
};

TEST_F(region_samples, copies_around_every_kernel) {
  onetrip::ledger::scope const moved;
  for (int s = 0; s < 3; ++s) {
    naive_step(exec, u, v);
    onetrip::swap(u, v);
  }
  expect_steps(u, 3);
  EXPECT_EQ(moved.transfers(onetrip::to_device), (onetrip::tally{6, 6 * array}));
  EXPECT_EQ(moved.transfers(onetrip::to_host), (onetrip::tally{6, 6 * array}));
}

TEST_F(region_samples, copies_of_what_is_needed) {
  onetrip::ledger::scope const moved;
  for (int s = 0; s < 3; ++s) {
    step(exec, u, v);
    onetrip::swap(u, v);
  }
  expect_steps(u, 3);
  EXPECT_EQ(moved.transfers(onetrip::to_device), (onetrip::tally{3, 3 * array}));
  EXPECT_EQ(moved.transfers(onetrip::to_host), (onetrip::tally{3, 3 * array}));
}

TEST_F(region_samples, a_region_around_the_loop) {
  onetrip::ledger::scope const moved;
  solve(exec, u, v, 3);
  expect_steps(u, 3);
  EXPECT_EQ(moved.transfers(onetrip::to_device), (onetrip::tally{1, array}));
  EXPECT_EQ(moved.transfers(onetrip::to_host), (onetrip::tally{1, array}));
}

TEST_F(region_samples, output_of_a_column) {
  onetrip::ledger::scope const moved;
  int outputs = 0;
  solve_with_output(exec, u, v, 3, 1, [&](auto const& column) { EXPECT_EQ(column(3), 9 + 0.5 * ++outputs); });
  expect_steps(u, 3);
  EXPECT_EQ(outputs, 3);
  EXPECT_EQ(moved.transfers(onetrip::to_device), (onetrip::tally{1, array}));
  EXPECT_EQ(moved.transfers(onetrip::to_host), (onetrip::tally{4, 3 * 8 * sizeof(double) + array}));
}

TEST_F(region_samples, holds_itself_to_its_budget) {
  onetrip::recorder const rec(onetrip::watch::copies);
  solve(exec, u, v, 3);
  EXPECT_LE(rec.transfers(onetrip::to_device).bytes, u.size() * sizeof(double)) << rec;
  EXPECT_LE(rec.transfers(onetrip::to_host).bytes, u.size() * sizeof(double)) << rec;
}

TEST_F(region_samples, an_object_s_arrays_stay) {
  onetrip::ledger::scope const moved;
  {
    simulation s(exec, 8);
    s.advance();
    s.advance();
    EXPECT_EQ(s.state()(3, 3), 0);
    EXPECT_EQ(s.state()(4, 4), 0);
  }
  EXPECT_EQ(moved.transfers(onetrip::to_device).count, 1u);
  EXPECT_EQ(moved.transfers(onetrip::to_host).count, 1u);
}
