// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/mpi/marcher.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mpi.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "march/cases.hpp"
#include "mpi/forever.hpp"

// Marching over ranks: the bits of a serial loop for every partition, and what is sent.

namespace {

using namespace march_tests;

int my_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int ranks() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// The same on all ranks.
class generator {
public:
  explicit generator(unsigned seed) : m_engine(seed) {}

  std::int64_t number(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(m_engine() % static_cast<unsigned>(most - least + 1));
  }
  /// Parts of very different sizes: none, some points, hundreds.
  std::vector<std::int64_t> sizes() {
    std::vector<std::int64_t> all;
    std::int64_t const most = number(0, 3) == 0 ? 3 : 700;
    for (int r = 0; r < ranks(); ++r)
      all.push_back(number(0, 2) == 0 ? number(0, 4) : number(0, most));
    return all;
  }
  template <class T>
  std::vector<T> state(std::int64_t points) {
    std::vector<T> u(static_cast<std::size_t>(points));
    for (T& x : u)
      x = static_cast<T>(number(-4095, 4096)) / 4096;
    return u;
  }

private:
  std::mt19937 m_engine;
};

template <class T, class Rule, class Ends>
using marcher = onetrip::mpi::marcher<device, Rule, Ends, T>;

template <class T, class Rule, class Ends>
void random_cases(unsigned seed, Rule const& rule, Ends const& ends) {
  generator make(seed);
  for (int c = 0; c < 30; ++c) {
    std::vector<std::int64_t> const sizes = make.sizes();
    std::int64_t begin = 0, points = 0;
    for (int r = 0; r < ranks(); ++r) {
      begin += r < my_rank() ? sizes[static_cast<std::size_t>(r)] : 0;
      points += sizes[static_cast<std::size_t>(r)];
    }
    auto const own = static_cast<std::size_t>(sizes[static_cast<std::size_t>(my_rank())]);
    onetrip::mpi::march_tuning tuning;
    tuning.halo = c % 10 == 0 ? 0 : make.number(0, 3) == 0 ? make.number(1, 900) : make.number(1, 40);
    tuning.local.depth = static_cast<int>(make.number(0, 2) == 0 ? 0 : make.number(1, 9));
    std::int64_t const steps = make.number(0, 90), more = make.number(0, 3), first_step = make.number(0, 20);

    std::vector<T> const start = make.state<T>(points);
    auto const to = [begin](std::vector<T> const& all, std::size_t count) {
      return std::vector<T>(all.begin() + begin, all.begin() + begin + static_cast<std::ptrdiff_t>(count));
    };
    array<T> const u("u", own);
    upload(to(start, own), u);
    marcher<T, Rule, Ends> m(MPI_COMM_WORLD, device(), own, rule, ends, tuning);
    m(u, steps, first_step);
    m(u, more, first_step + steps);
    device().fence();
    ASSERT_EQ(differences(download(u), to(expected(start, steps + more, rule, ends, first_step), own)), 0)
        << "case " << c << ", " << points << " points, this rank's from " << begin << ", " << own << ", halo "
        << m.tuning().halo << ", " << steps << " and " << more << " steps, depth " << m.tuning().local.depth;
    auto const a = m.cost(steps), b = m.cost(more);
    ASSERT_EQ(m.sent().messages, a.messages + b.messages);
    ASSERT_EQ(m.sent().bytes, a.bytes_sent + b.bytes_sent);
    std::int64_t halo[2] = {m.tuning().halo, -m.tuning().halo};
    MPI_Allreduce(MPI_IN_PLACE, halo, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    ASSERT_EQ(halo[0], -halo[1]);
  }
}

template <class T>
placed<T> placed_rule() {
  array<T> const r("r", 700 * 7 + 1); // one beyond all arrays' ends
  Kokkos::deep_copy(r, T(0.25));
  std::vector<T> values(r.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = T(i % 64) / 256;
  upload(values, r);
  return {r};
}

TEST(mpi_march, heat_with_fixed_ends) { random_cases<double>(1, heat<double>{0.25}, onetrip::fixed_ends{}); }
TEST(mpi_march, jumps_with_insulated_ends) { random_cases<float>(2, jump<float>{}, onetrip::insulated_ends{}); }
TEST(mpi_march, placed_with_periodic_ends) { random_cases<float>(3, placed_rule<float>(), onetrip::periodic_ends{}); }
TEST(mpi_march, placed_with_driven_ends) {
  random_cases<double>(4, placed_rule<double>(), onetrip::driven_ends{wave<double>{}});
}

using heat_marcher = marcher<double, heat<double>, onetrip::fixed_ends>;

heat_marcher heat_with(std::size_t own, std::int64_t halo) {
  return {MPI_COMM_WORLD, device(), own, heat<double>{0.25}, onetrip::fixed_ends{}, {.halo = halo, .local = {}}};
}

TEST(mpi_march, wide_halos_take_fewer_messages) {
  int const sides = (my_rank() > 0 ? 1 : 0) + (my_rank() < ranks() - 1 ? 1 : 0);
  array<double> const u("u", 100);
  heat_marcher wide = heat_with(100, 10);
  heat_marcher narrow = heat_with(100, 1);
  wide(u, 95);
  narrow(u, 95);
  EXPECT_EQ(wide.sent().messages, 10 * sides); // the last exchange for 5 steps
  EXPECT_EQ(wide.sent().bytes, 10 * sides * 10 * 8);
  EXPECT_EQ(narrow.sent().messages, 95 * sides);
  EXPECT_EQ(narrow.sent().bytes, 95 * sides * 8);
  EXPECT_EQ(wide.cost(95).exchanges, ranks() > 1 ? 10 : 0);
  EXPECT_DOUBLE_EQ(wide.cost(95).redundant_work, sides * 0.1);
}

TEST(mpi_march, a_halo_of_several_parts) {
  array<double> const u("u", 3);
  heat_marcher m = heat_with(3, 7);
  m(u, 14);
  // seven points are two whole parts, and one point of the next
  std::int64_t messages = 0, points = 0;
  for (int other = 0; other < ranks(); ++other) {
    int const distance = std::abs(other - my_rank());
    if (distance >= 1 && distance <= 3) {
      ++messages;
      points += distance == 3 ? 1 : 3;
    }
  }
  std::int64_t const halo = std::min(7, 3 * ranks()); // of two exchanges, or more where the array is shorter
  if (halo == 7) {
    EXPECT_EQ(m.sent().messages, 2 * messages);
    EXPECT_EQ(m.sent().bytes, 2 * points * 8);
  }
  EXPECT_EQ(m.tuning().halo, ranks() == 1 ? 0 : halo);
}

template <class F>
std::string thrown(F const& f) {
  try {
    f();
  } catch (onetrip::error const& error) {
    return error.what();
  }
  return "nothing";
}

TEST(mpi_march, disagreement_is_an_error_on_all_ranks) {
  bool const odd_one = my_rank() == ranks() - 1 && ranks() > 1;
  auto const of_all = [](std::string const& text) { return ranks() > 1 ? text : "nothing"; };
  array<double> const u("u", 20), longer("longer", 21);
  heat_marcher m = heat_with(20, 4);
  EXPECT_EQ(thrown([&] { m(u, odd_one ? 9 : 7); }),
            of_all("onetrip::mpi::marcher: the ranks disagree on steps: from 7 to 9"));
  EXPECT_EQ(thrown([&] { m(u, 8, odd_one ? -3 : 0); }),
            of_all("onetrip::mpi::marcher: the ranks disagree on first_step: from -3 to 0"));
  std::string const rank = std::to_string(ranks() - 1);
  EXPECT_EQ(thrown([&] { m(odd_one ? longer : u, 8); }),
            of_all(odd_one ? "onetrip::mpi::marcher: the View 'longer' has 21 points, this rank's part has 20"
                           : "onetrip::mpi::marcher: rank " + rank + " can't go on, and says why"));
  EXPECT_EQ(thrown([&] { (void)heat_with(20, odd_one ? 5 : 4); }),
            of_all("onetrip::mpi::marcher: the ranks disagree on halo: from 4 to 5"));
  EXPECT_EQ(thrown([&] { (void)heat_with(20, odd_one ? -1 : 4); }),
            of_all(odd_one ? "onetrip::mpi::marcher: halo must be from 0 to 1073741824, but is -1"
                           : "onetrip::mpi::marcher: rank " + rank + " can't go on, and says why"));
  auto const floats = [] {
    marcher<float, jump<float>, onetrip::insulated_ends>(MPI_COMM_WORLD, device(), 20, {}, {});
  };
  EXPECT_EQ(thrown([&] { odd_one ? floats() : (void)heat_with(20, 0); }),
            of_all("onetrip::mpi::marcher: the ranks disagree on the bytes of a value: from 4 to 8"));
  EXPECT_EQ(thrown([&] { m(u, -1); }),
            "onetrip::mpi::marcher: the View 'u' is to take -1 steps; steps must not be negative");
  m(u, 8); // none of which has hurt it
  EXPECT_EQ(m.sent().messages, m.cost(8).messages);
}

TEST(mpi_march, takes_no_null_communicator) {
  auto const made = [](MPI_Comm comm) {
    return thrown([comm] { heat_marcher(comm, device(), 1, heat<double>{0.25}, {}); });
  };
  EXPECT_EQ(made(MPI_COMM_NULL), "onetrip::mpi: the communicator is MPI_COMM_NULL");
}

} // namespace

std::shared_ptr<void> mpi_tests::marcher_of_all() {
  return std::make_shared<heat_marcher>(MPI_COMM_WORLD, device(), 10, heat<double>{0.25}, onetrip::fixed_ends{});
}

void mpi_tests::march_until_killed() {
  array<double> const u("u", 1000);
  heat_marcher m = heat_with(1000, 8);
  for (int call = 0;; ++call) {
    m(u, 100);
    if (call == 20 && my_rank() == 1)
      (void)std::raise(SIGKILL);
  }
}
