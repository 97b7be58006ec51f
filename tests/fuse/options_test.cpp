// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fuse/arrays.hpp"

// allow_temporary, assume_disjoint, explain.

namespace {

using namespace fuse_tests;
using onetrip::allow_temporary;
using onetrip::fuse;
using onetrip::in;
using onetrip::kind;
using onetrip::store;

template <class View>
auto part(View const& of, std::size_t from, std::size_t to) {
  return Kokkos::subview(of, std::pair(from, to));
}

TEST(allow_temporary, reads_what_was_there_before_the_call) {
  for (std::size_t const n : {std::size_t{2}, std::size_t{257}, std::size_t{1} << 21}) {
    auto expected = filled<double>(n, scrambled);
    auto const x = make(expected);
    onetrip::assign(device(), part(x, 1, n), in(part(x, 0, n - 1)) + 1.0, allow_temporary);
    for (std::size_t i = n; --i > 0;)
      expected[i] = expected[i - 1] + 1;
    ASSERT_EQ(values_of(x), expected);
  }
}

TEST(allow_temporary, of_a_transposed_matrix) {
  Kokkos::View<double**, Kokkos::LayoutRight, device> const m("m", 40, 40);
  Kokkos::View<double**, Kokkos::LayoutLeft, device, Kokkos::MemoryUnmanaged> const transposed(m.data(), 40, 40);
  onetrip::assign(device(), m, 100.0 * onetrip::index<0>() + onetrip::index<1>());
  onetrip::assign(device(), m, in(m) + 0.5 * in(transposed), allow_temporary);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      ASSERT_EQ(host(i, j), 100 * i + j + 0.5 * (100 * j + i));
}

TEST(allow_temporary, is_one_for_a_view_that_is_read_twice_and_none_without_need) {
  array<double> const x("x", 100), y("y", 100);
  auto const low = part(x, 0, 99), high = part(x, 1, 100);
  auto const events_of = [&](auto const& call) {
    onetrip::recorder rec;
    call();
    std::vector<std::pair<kind, std::string>> seen;
    onetrip::account const account = rec.so_far();
    for (onetrip::record const& r : account.records())
      if (r.what == kind::kernel || r.what == kind::allocation || r.what == kind::transfer)
        seen.emplace_back(r.what, r.label);
    return seen;
  };
  using events = std::vector<std::pair<kind, std::string>>;
  EXPECT_EQ(events_of([&] { fuse(device(), "test", allow_temporary, store(high, in(low) + low)); }),
            (events{{kind::allocation, "onetrip::fuse::temporary"},
                    {kind::kernel, "onetrip::fuse::temporary"},
                    {kind::kernel, "onetrip::fuse::test"}}));
  EXPECT_EQ(events_of([&] { fuse(device(), "test", allow_temporary, store(x, in(x) + y)); }),
            (events{{kind::kernel, "onetrip::fuse::test"}}));
}

TEST(allow_temporary, is_of_no_use_to_two_outputs) {
  array<double> const x("x", 10);
  EXPECT_THROW(fuse(device(), "test", allow_temporary, store(part(x, 0, 9), 1.0), store(part(x, 1, 10), 2.0)),
               onetrip::alias_error);
}

// Two Views whose addresses differ by 1 modulo 3, whose strides are multiples of 3, but for one of two elements: they
// never meet, and a search would have to try all that the first seven dimensions add up to.
using intricate = Kokkos::View<double********, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged>;
intricate strided_by_three(double* data, bool nested) {
  std::size_t stride[8] = {3000, 3021, 3033, 3051, 3069, 3093, 3111, 1};
  for (std::size_t d = 0; d < 8 && nested; ++d)
    stride[d] = d == 0 ? 3 : 4 * stride[d - 1];
  return intricate(data, Kokkos::LayoutStride(4, stride[0], 4, stride[1], 4, stride[2], 4, stride[3], 4, stride[4], 4,
                                              stride[5], 4, stride[6], 2, stride[7]));
}

TEST(assume_disjoint, mends_what_is_not_proved) {
  array<double> const memory("memory", 1 << 20);
  intricate const out = strided_by_three(memory.data(), true), a = strided_by_three(memory.data() + 1, false);
  onetrip::assign(device(), memory, 1.0);
  try {
    onetrip::assign(device(), out, in(a) + 1.0);
    FAIL() << "proved, or not seen";
  } catch (onetrip::alias_error const& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "onetrip::assign: a View without a label (4 x 4 x 4 x 4 x 4 x 4 x 4 x 2) and a View without a label (4 x 4 "
        "x 4 x 4 x 4 x 4 x 4 x 2) are not proved to lie apart in memory, and one of them is written "
        "(assume_disjoint, if they do)");
  }
  onetrip::assign(device(), out, in(a) + 1.0, onetrip::assume_disjoint);
  double total = 0;
  fuse(device(), "test", onetrip::sum(total, memory));
  EXPECT_EQ(total, (1 << 20) + (1 << 15));
  onetrip::assign(device(), out, in(a) + 2.0, allow_temporary);
  fuse(device(), "test", onetrip::sum(total, out));
  EXPECT_EQ(total, 3 << 15);
}

TEST(assume_disjoint, is_of_no_use_to_what_is_proved_to_meet) {
  array<double> const x("x", 10);
  EXPECT_THROW(onetrip::assign(device(), part(x, 1, 10), in(part(x, 0, 9)), onetrip::assume_disjoint),
               onetrip::alias_error);
}

TEST(explain, tells_kernels_and_bytes_and_runs_nothing) {
  array<double> const x("x", 1000), y("y", 1000);
  array<float> const f("f", 2000);
  auto const every_second = Kokkos::View<float*, Kokkos::LayoutStride, device>(f.data(), Kokkos::LayoutStride(1000, 2));
  scalar<double> const alpha("alpha"), largest("largest");
  double total = 0;
  onetrip::recorder rec;
  onetrip::explanation const plan =
      onetrip::explain(device(), store(x, in(x) + in(alpha)*y), store(y, in(x)*y + every_second),
                       onetrip::sum(total, x), onetrip::max_of(largest, y));
  onetrip::account const seen = rec.so_far();
  EXPECT_TRUE(seen.records().empty()) << seen;
  EXPECT_EQ(plan.kernels, 1);
  EXPECT_EQ(plan.bytes_read, 8000 + 8 + 8000 + 4000);
  EXPECT_EQ(plan.bytes_written, 8000 + 8000 + 8 + 8);
  EXPECT_EQ(plan.temporary_bytes, 0);
  EXPECT_TRUE(plan.waits);
  std::ostringstream text;
  text << plan;
  EXPECT_EQ(text.str(), plan.text);
  bool const on_host = onetrip::detail::runs_on_host<device>;
  std::string const mode = on_host ? "contiguous" : "16 bytes at a time";
  std::string const strided = on_host ? "gathered: stride 2" : "element by element: stride 2";
  EXPECT_EQ(plan.text, "1 kernel, 20008 bytes read, 16016 bytes written\n"
                       "on " +
                           std::string(device::name()) +
                           ", 1 loop: 1000\n"
                           "  writes 'x' (1000), 8000 bytes, " +
                           mode +
                           "\n"
                           "  reads  'x' (1000), 8000 bytes, " +
                           mode +
                           "\n"
                           "  reads  'alpha' (scalar), 8 bytes, one value\n"
                           "  reads  'y' (1000), 8000 bytes, " +
                           mode +
                           "\n"
                           "  writes 'y' (1000), 8000 bytes, " +
                           mode +
                           "\n"
                           "  reads  'x' (1000), 0 bytes, from statement 1\n"
                           "  reads  'y' (1000), 0 bytes, read above\n"
                           "  reads  a View without a label (1000), 4000 bytes, " +
                           strided +
                           "\n"
                           "  reads  'x' (1000), 0 bytes, from statement 1\n"
                           "  reads  'y' (1000), 0 bytes, from statement 2\n"
                           "  reduces to a variable of the host's, 8 bytes, and waits for it\n"
                           "  reduces to 'largest', 8 bytes\n");
}

TEST(explain, tells_loops_and_stretched_operands) {
  Kokkos::View<double**, Kokkos::LayoutRight, device> const m("m", 20, 100);
  array<double> const row("row", 100);
  auto const inner = Kokkos::subview(m, std::pair(1, 19), std::pair(1, 99));
  auto const of_row = part(row, 0, 98);
  onetrip::explanation const plan = onetrip::explain(device(), store(inner, in(inner)*of_row));
  EXPECT_EQ(plan.bytes_read, 18 * 98 * 8 + 98 * 8);
  EXPECT_EQ(plan.bytes_written, 18 * 98 * 8);
  EXPECT_NE(plan.text.find("2 loops: 18 x 98"), std::string::npos) << plan;
  EXPECT_EQ(onetrip::explain(device(), store(m, in(m) + 1.0)).text.find("2 loops"), std::string::npos);
}

TEST(explain, charges_temporaries) {
  array<double> const x("x", 101);
  auto const low = part(x, 0, 100), high = part(x, 1, 101);
  onetrip::explanation const plan = onetrip::explain(device(), allow_temporary, store(high, in(low) + low));
  EXPECT_EQ(plan.kernels, 2);
  EXPECT_EQ(plan.temporary_bytes, 800);
  EXPECT_EQ(plan.bytes_read, 1600);
  EXPECT_EQ(plan.bytes_written, 1600);
  EXPECT_THROW((void)onetrip::explain(device(), store(high, in(low) + 1.0)), onetrip::alias_error);
}

} // namespace
