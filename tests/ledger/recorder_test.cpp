// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

// The recorder against hand counts of real Kokkos work. On a build with one memory space Views stand in for the device.

namespace {

using device = Kokkos::DefaultExecutionSpace;
using onetrip::kind;
using onetrip::tally;
using onetrip::to_device;
using onetrip::to_host;

template <class T>
using device_view = Kokkos::View<T*>;

struct doubled {
  device_view<int> v;
  KOKKOS_FUNCTION void operator()(int i) const { v(i) *= 2; }
};

struct summed {
  device_view<int> v;
  KOKKOS_FUNCTION void operator()(int i, int& sum) const { sum += v(i); }
};

struct scanned {
  KOKKOS_FUNCTION void operator()(int, int& sum, bool) const { sum += 1; }
};

struct nothing_to_do {
  KOKKOS_FUNCTION void operator()(int) const {}
};

TEST(recorder, counts_each_way_with_exact_bytes) {
  device_view<int> const a("a", 7);
  device_view<double> const b("b", 11);
  auto const host_a = Kokkos::create_mirror(a);
  auto const host_b = Kokkos::create_mirror(b);
  onetrip::recorder rec;
  rec.stand_in(a);
  rec.stand_in(b);
  for (int i = 0; i < 10; ++i) { // asymmetric, so that no two sums agree by chance
    Kokkos::deep_copy(a, host_a);
    if (i != 0)
      Kokkos::deep_copy(host_a, a);
  }
  Kokkos::deep_copy(device(), host_b, b);
  device().fence();
  EXPECT_EQ(rec.transfers(to_device), (tally{10, 10 * 7 * 4})) << rec;
  EXPECT_EQ(rec.transfers(to_host), (tally{10, 9 * 7 * 4 + 11 * 8})) << rec;
  EXPECT_EQ(rec.so_far().of(kind::failed_copy).count, 0u);
}

TEST(recorder, names_both_views_of_a_copy) {
  device_view<int> const a("a", 3);
  auto const host_a = Kokkos::create_mirror(a);
  onetrip::recorder rec(onetrip::watch::copies);
  rec.stand_in(a);
  Kokkos::deep_copy(a, host_a);
  auto const seen = rec.so_far();
  auto const& r = *std::find_if(seen.records().begin(), seen.records().end(),
                                [](auto const& x) { return x.what == kind::transfer; });
  EXPECT_EQ(r.label, "a");
  EXPECT_EQ(r.source, "a_mirror");
  EXPECT_EQ(r.space, device::memory_space::name());
  EXPECT_EQ(r.source_space, "Host");
  EXPECT_EQ(r.bytes_asked, 12u);
}

TEST(recorder, fills_are_no_transfers) {
  device_view<int> const a("a", 1000);
  onetrip::recorder rec;
  rec.stand_in(a);
  Kokkos::deep_copy(a, 0);
  Kokkos::deep_copy(a, 3);
  Kokkos::deep_copy(device(), a, 0);
  Kokkos::deep_copy(device(), a, 3);
  device().fence();
  EXPECT_EQ(rec.so_far().of(kind::fill), (tally{4, 4 * 4000})) << rec;
  EXPECT_EQ(rec.transfers(to_device), tally{}) << rec;
  EXPECT_EQ(rec.so_far().of(kind::kernel).count, 0u) << rec;
}

TEST(recorder, copy_onto_itself_is_an_alias) {
  Kokkos::View<int*, Kokkos::HostSpace> const a("a", 5);
  auto const mirror = Kokkos::create_mirror_view(a);
  onetrip::recorder rec;
  Kokkos::deep_copy(Kokkos::View<int*, Kokkos::HostSpace>(a.data(), 5), mirror);
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.of(kind::alias), (tally{1, 20})) << rec;
  EXPECT_EQ(seen.of(kind::copy).bytes, 0u) << rec;
}

TEST(recorder, empty_views_move_nothing) {
  device_view<int> const a("a", 0);
  auto const host_a = Kokkos::create_mirror(a);
  onetrip::recorder rec;
  Kokkos::deep_copy(a, host_a);
  rec.stand_in(a);
  EXPECT_EQ(rec.transfers(to_device), tally{}) << rec;
  EXPECT_EQ(rec.so_far().of(kind::empty_copy).count, 1u) << rec;
}

TEST(recorder, copies_within_the_device_are_no_transfers) {
  device_view<int> const a("a", 9);
  device_view<int> const b("b", 9);
  onetrip::recorder rec;
  rec.stand_in(a);
  rec.stand_in(b);
  Kokkos::deep_copy(a, b);
  Kokkos::deep_copy(device(), b, a);
  device().fence();
  EXPECT_EQ(rec.so_far().of(kind::copy), (tally{2, 2 * 36})) << rec;
  EXPECT_EQ(rec.transfers(to_device), tally{}) << rec;
  EXPECT_EQ(rec.transfers(to_host), tally{}) << rec;
}

#if KOKKOS_VERSION >= 50000 // before, it does not compile
TEST(recorder, a_copy_that_converts_one_value_is_a_copy) {
  Kokkos::View<int, Kokkos::HostSpace> const a("a");
  Kokkos::View<double, Kokkos::HostSpace> const b("b");
  onetrip::recorder rec;
  Kokkos::deep_copy(a, b);
  EXPECT_EQ(rec.so_far().of(kind::copy).count, 1u) << rec;
  EXPECT_EQ(rec.so_far().of(kind::kernel).count, 0u) << rec;
}
#endif

TEST(recorder, a_copy_that_throws_moved_nothing) {
  device_view<int> const a("a", 4);
  device_view<int> const longer("longer", 5);
  onetrip::recorder rec;
  EXPECT_THROW(Kokkos::deep_copy(a, longer), std::runtime_error);
  EXPECT_EQ(rec.so_far().of(kind::failed_copy), (tally{1, 0})) << rec;
  Kokkos::deep_copy(a, Kokkos::subview(longer, std::pair(0, 4)));
  EXPECT_EQ(rec.so_far().of(kind::failed_copy), (tally{1, 0})) << rec;
  EXPECT_EQ(rec.so_far().of(kind::copy), (tally{1, 16})) << rec;
}

TEST(recorder, packed_copies_are_upper_bounds) {
  Kokkos::View<double**, Kokkos::LayoutRight> const a("a", 10, 10);
  Kokkos::View<double**, Kokkos::LayoutRight> const b("b", 10, 10);
  onetrip::recorder rec;
  Kokkos::deep_copy(Kokkos::subview(a, Kokkos::ALL, 1), Kokkos::subview(b, Kokkos::ALL, 2));
  auto const seen = rec.so_far();
  auto const packed = seen.total([](auto const& r) { return r.upper_bound; });
  EXPECT_EQ(packed.count, 1u) << rec;
  EXPECT_GE(packed.bytes, 80u) << rec;  // the column
  EXPECT_LE(packed.bytes, 800u) << rec; // the matrix
}

TEST(recorder, counts_the_users_kernels_alone) {
  device_view<int> const a("a", 8);
  int sum = 0;
  onetrip::recorder rec;
  device_view<int> const b("b", 8); // an initialisation
  Kokkos::parallel_for("mine::for", Kokkos::RangePolicy<>(0, 8), doubled{a});
  Kokkos::parallel_reduce("mine::reduce", Kokkos::RangePolicy<>(0, 8), summed{a}, sum);
  Kokkos::parallel_scan("mine::scan", Kokkos::RangePolicy<>(0, 8), scanned{});
  Kokkos::fence();
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.of(kind::kernel).count, 3u) << rec;
  EXPECT_EQ(seen.of(kind::own_kernel).count, 1u) << rec;
  auto const allocated = seen.total([](auto const& r) { return r.what == kind::allocation && r.label == "b"; });
  EXPECT_EQ(allocated, (tally{1, 32})) << rec;
}

TEST(recorder, tells_the_users_fences_from_kokkos_own) {
  device_view<int> const a("a", 8);
  auto const host_a = Kokkos::create_mirror(a);
  int sum = 0;
  onetrip::recorder rec;
  {
    device_view<int> const b("b", 8);
    Kokkos::deep_copy(a, host_a);
    Kokkos::deep_copy(a, 1);
    Kokkos::deep_copy(a, b);
    Kokkos::deep_copy(device(), a, b);
  }
  Kokkos::parallel_for("mine", Kokkos::RangePolicy<>(0, 8), doubled{a});
  EXPECT_EQ(rec.so_far().of(kind::fence).count, 0u) << rec;
  Kokkos::fence();
  device().fence();
  Kokkos::fence("mine");
  EXPECT_EQ(rec.so_far().of(kind::fence).count, 3u) << rec;
  Kokkos::parallel_reduce("sum", Kokkos::RangePolicy<>(0, 8), summed{a}, sum);
  EXPECT_EQ(rec.so_far().of(kind::fence).count, 4u) << rec; // its result is a value
}

TEST(recorder, kernels_carry_their_instance) {
  auto const instances = Kokkos::Experimental::partition_space(device(), 1, 1);
  onetrip::recorder rec;
  for (auto const& instance : instances)
    Kokkos::parallel_for("mine", Kokkos::RangePolicy<device>(instance, 0, 8), nothing_to_do{});
  Kokkos::fence();
  auto const seen = rec.so_far();
  std::vector<std::uint32_t> ids;
  for (auto const& r : seen.records())
    if (r.what == kind::kernel)
      ids.push_back(r.device);
  std::vector<std::uint32_t> expected;
  for (auto const& instance : instances)
    expected.push_back(Kokkos::Tools::Experimental::device_id(instance));
  EXPECT_EQ(ids, expected);
}

TEST(recorder, regions_are_paths) {
  device_view<int> const a("a", 8);
  onetrip::recorder rec;
  Kokkos::Profiling::pushRegion("solve");
  Kokkos::Profiling::pushRegion("step");
  Kokkos::parallel_for("mine", Kokkos::RangePolicy<>(0, 8), doubled{a});
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::popRegion();
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.total([](auto const& r) { return r.what == kind::kernel && r.region == "solve/step"; }).count, 1u)
      << rec;
}

TEST(recorder, of_copies_adds_no_fence_and_sees_no_kernel) {
  device_view<int> const a("a", 8);
  auto const host_a = Kokkos::create_mirror(a);
  onetrip::recorder rec(onetrip::watch::copies);
  EXPECT_FALSE(rec.adds_fences());
  for (int i = 0; i < 5; ++i)
    Kokkos::parallel_for("mine", Kokkos::RangePolicy<>(0, 8), doubled{a});
  Kokkos::deep_copy(host_a, a);
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.of(kind::tool_fence).count, 0u) << rec;
  EXPECT_EQ(seen.of(kind::kernel).count, 0u) << rec;
}

TEST(recorder, of_everything_made_late_says_that_it_adds_fences) {
  device_view<int> const a("a", 8);
  onetrip::recorder rec;
  EXPECT_TRUE(rec.adds_fences());
  for (int i = 0; i < 5; ++i)
    Kokkos::parallel_for("mine", Kokkos::RangePolicy<>(0, 8), doubled{a});
  EXPECT_GT(rec.so_far().of(kind::tool_fence).count, 0u) << rec;
  std::ostringstream text;
  text << rec;
  EXPECT_THAT(text.str(), testing::StartsWith("Recorded with a fence before every kernel and region: times taken "
                                              "meanwhile are not the program's own.\n"));
}

TEST(recorder, sees_copies_of_subviews_and_of_malloced_memory) {
  device_view<int> const a("a", 100);
  auto const host_a = Kokkos::create_mirror(a);
  int* const raw = static_cast<int*>(Kokkos::kokkos_malloc<Kokkos::HostSpace>("raw", 40));
  Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const unmanaged(raw, 10);
  auto const part = std::pair(90, 100);
  {
    onetrip::recorder rec;
    rec.stand_in(a);
    Kokkos::deep_copy(Kokkos::subview(a, part), unmanaged);
    Kokkos::deep_copy(Kokkos::subview(host_a, part), Kokkos::subview(a, part));
    EXPECT_EQ(rec.transfers(to_device), (tally{1, 40})) << rec;
    EXPECT_EQ(rec.transfers(to_host), (tally{1, 40})) << rec;
  }
  Kokkos::kokkos_free<Kokkos::HostSpace>(raw);
}

} // namespace
