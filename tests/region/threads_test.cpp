// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region/arrays.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

// Several host threads at one table. Other builds of Kokkos than that with OpenMP may not be entered from several.

namespace {

using namespace region_tests;
using onetrip::copy, onetrip::copyin, onetrip::create;
using onetrip::region;

constexpr std::size_t threads = 4;
constexpr int rounds = 300;

template <class To, class From>
struct next_of {
  To to;
  From from;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = from(i) + 1; }
};

/// to = from + 1, on the device.
template <class To, class From>
void next(device const& exec, To const& to, From const& from) {
  Kokkos::parallel_for("next", Kokkos::RangePolicy<device>(exec, 0, static_cast<int>(to.extent(0))),
                       next_of<To, From>{to, from});
}

TEST_F(distinct, threads_with_arrays_of_their_own_and_one_that_all_read) {
  auto const instances = Kokkos::Experimental::partition_space(device(), 1, 1, 1, 1);
  array<int> const shared = count_up("shared", 5);
  region const held(device(), copyin(shared));
  device().fence();
  std::vector<array<int>> own;
  for (std::size_t t = 0; t < threads; ++t)
    own.push_back(count_up("own", static_cast<int>(3 + t)));
  std::vector<array<int>> other;
  for (std::size_t t = 0; t < threads; ++t)
    other.push_back(count_up("other", static_cast<int>(3 + t)));
  std::atomic<int> wrong = 0;
  moved const did = moved_in([&] {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        device const& exec = instances[t];
        for (int i = 0; i < rounds; ++i) {
          region const data(exec, copy(own[t]), create(other[t]), copyin(shared));
          next(exec, data.device(other[t]), onetrip::device_ro(exec, own[t]));
          onetrip::swap(exec, own[t], other[t]);
          wrong += !onetrip::is_present(exec, shared);
        }
      });
  });
  EXPECT_EQ(wrong, 0);
  std::size_t bytes = 0;
  for (std::size_t t = 0; t < threads; ++t) {
    bytes += rounds * (3 + t) * sizeof(int);
    EXPECT_EQ(own[t](0), 1 + rounds);
  }
  EXPECT_EQ(did.in.bytes, bytes);
  EXPECT_EQ(did.back.bytes, bytes);
  EXPECT_EQ(did.in.count, threads * rounds);
}

TEST(region_threads, enter_and_leave_the_same_array) {
  device const exec;
  array<int> const u = count_up("u", 5);
  mode const how(onetrip::alias::automatic);
  {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t)
      running.emplace_back([&] {
        for (int i = 0; i < rounds; ++i) {
          onetrip::enter_data(exec, create(u));
          {
            region const data(exec, copy(u));
          }
          onetrip::exit_data(exec, onetrip::release(u));
        }
      });
  }
  EXPECT_FALSE(onetrip::is_present(exec, u));
}

} // namespace
