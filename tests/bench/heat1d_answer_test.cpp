// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "baselines/heat1d_answer.hpp"

#include <heat1d/serial.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace {

template <class T, class Value>
std::vector<T> values_of(std::size_t size, Value const& value) {
  Kokkos::View<T*> const x("x", size);
  Kokkos::parallel_for(
      "values_of", Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, static_cast<std::int64_t>(size)),
      KOKKOS_LAMBDA(std::int64_t i) { x(i) = value(i); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, x);
  return {host.data(), host.data() + size};
}

template <class T>
struct start_of {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return answer.start(i); }

  baselines::heat1d_answer<T> answer;
};

template <class T>
void expect_serial_state(std::size_t cells, std::int64_t steps) {
  baselines::heat1d_answer<T> const answer(cells, steps, T(0.25));
  auto const start = values_of<T>(cells, start_of<T>{answer});
  EXPECT_EQ(values_of<T>(cells, answer), heat1d::serial<T>(start, steps, T(0.25), heat1d::fixed_ends{}))
      << cells << " cells, " << steps << " steps";
}

TEST(Heat1dAnswer, IsTheSerialStateOfAllCells) {
  constexpr std::size_t piece = baselines::heat1d_answer<double>::period;
  for (std::size_t const cells : {std::size_t{3}, std::size_t{100}, piece, piece + 199, piece + 200, piece + 201,
                                  2 * piece + 200, 5 * piece + 1234})
    expect_serial_state<double>(cells, 100);
  expect_serial_state<float>(5 * piece + 1234, 100);
  expect_serial_state<double>(5 * piece, 2000);
}

TEST(Heat1dAnswer, Varies) {
  baselines::heat1d_answer<double> const answer(20000, 100, 0.25);
  auto const end = values_of<double>(20000, answer);
  EXPECT_GT(std::set<double>(end.begin(), end.end()).size(), 4000u);
}

} // namespace
