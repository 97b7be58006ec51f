// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/onetrip.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/event_source.hpp"

// The recorder on streams of events that it can't trust: unmatched, unknown, from any backend.

namespace {

using onetrip::direction;
using onetrip::kind;
using onetrip::tally;
using test_support::at;
using events = test_support::event_source;

void copy(char const* to_space, char const* from_space, std::uint64_t bytes) {
  events::begin_copy(to_space, "to", at(1 << 20), from_space, "from", at(2 << 20), bytes);
  events::end_copy();
}

onetrip::record first_record(onetrip::recorder const& rec) {
  auto const seen = rec.so_far();
  return seen.records()[0]; // its texts live on in the recorder's log
}

std::vector<std::pair<kind, direction>> shape_of(onetrip::recorder const& rec) {
  std::vector<std::pair<kind, direction>> shape;
  auto const seen = rec.so_far();
  for (auto const& r : seen.records())
    shape.emplace_back(r.what, r.where);
  return shape;
}

using shape = std::vector<std::pair<kind, direction>>;

TEST(event_stream, directions_come_from_the_two_spaces) {
  struct {
    char const* to;
    char const* from;
    kind what;
    direction where;
  } const cases[] = {
      {"Cuda", "Host", kind::transfer, direction::to_device},
      {"Host", "Cuda", kind::transfer, direction::to_host},
      {"Cuda", "CudaHostPinned", kind::transfer, direction::to_device},
      {"CudaHostPinned", "Cuda", kind::transfer, direction::to_host},
      {"Cuda", "Cuda", kind::copy, direction::within_device},
      {"Host", "Host", kind::copy, direction::within_host},
      {"Host", "CudaHostPinned", kind::copy, direction::within_host},
      {"HIP", "HIPHostPinned", kind::transfer, direction::to_device},
      {"SYCLHostUSM", "SYCLDeviceUSM", kind::transfer, direction::to_host},
      {"OpenACCSpace", "Host", kind::transfer, direction::to_device},
      {"CudaUVM", "Host", kind::transfer, direction::unknown},
      {"Cuda", "CudaUVM", kind::transfer, direction::unknown},
      {"CudaUVM", "CudaUVM", kind::copy, direction::unknown},
      {"SYCLSharedUSM", "SYCLDeviceUSM", kind::transfer, direction::unknown},
      {"Anonymous", "Host", kind::transfer, direction::unknown},
      {"Anonymous", "Anonymous", kind::copy, direction::unknown},
      {"a space of next year", "Anonymous", kind::transfer, direction::unknown},
  };
  for (auto const& c : cases) {
    onetrip::recorder rec;
    copy(c.to, c.from, 24);
    EXPECT_EQ(shape_of(rec), (shape{{c.what, c.where}})) << c.to << " from " << c.from << '\n' << rec;
    EXPECT_EQ(rec.so_far().of(c.what), (tally{1, 24}));
  }
}

TEST(event_stream, unterminated_space_name_is_read_to_63_bytes) {
  std::string const endless(80, 'a');
  onetrip::recorder rec;
  events::allocate(endless.c_str(), "label", at(64), 8);
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.records()[0].space, std::string(63, 'a'));
}

TEST(event_stream, tells_kokkos_own_fences_by_their_labels) {
  onetrip::recorder rec;
  for (char const* own :
       {"Kokkos::deep_copy: copy between contiguous views, pre copy fence", "HostSpace::impl_deallocate before free",
        "SharedAllocationRecord<Kokkos::CudaSpace, void>::SharedAllocationRecord(): fence after copying header from "
        "HostSpace",
        "HostInaccessibleSharedAllocationRecordCommon::get_record(): fence after copying header to HostSpace"})
    events::fence(own);
  for (char const* mine : {"Kokkos::fence: Unnamed Global Fence", "Kokkos::Cuda::fence(): Unnamed Instance Fence",
                           "Kokkos::parallel_reduce: fence due to result being value, not view", "solver", ""})
    events::fence(mine);
  EXPECT_EQ(rec.so_far().of(kind::own_fence).count, 4u) << rec;
  EXPECT_EQ(rec.so_far().of(kind::fence).count, 5u) << rec;
}

TEST(event_stream, null_labels_are_empty) {
  onetrip::recorder rec;
  events::begin_copy("Cuda", nullptr, at(64), "Host", nullptr, at(128), 8);
  events::end_copy();
  events::kernel(nullptr);
  events::fence(nullptr);
  events::push(nullptr);
  events::kernel("k");
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{1, 8}));
  EXPECT_EQ(rec.so_far().of(kind::kernel).count, 2u);
}

TEST(event_stream, end_without_begin_is_nothing) {
  onetrip::recorder rec;
  events::end_copy();
  copy("Cuda", "Host", 8);
  events::end_copy();
  EXPECT_EQ(shape_of(rec), (shape{{kind::transfer, direction::to_device}})) << rec;
}

TEST(event_stream, copy_without_end_failed) {
  using next_event = void (*)();
  next_event const proofs[] = {
      [] { copy("Host", "Cuda", 8); },
      [] { events::push("region"); },
      [] { events::pop(); },
  };
  for (next_event proof : proofs) {
    onetrip::recorder rec;
    events::begin_copy("Cuda", "to", at(64), "Host", "from", at(128), 1000);
    proof();
    events::end_copy(); // belongs to nothing any more
    EXPECT_EQ(rec.so_far().of(kind::failed_copy), (tally{1, 0})) << rec;
    EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{0, 0})) << rec;
  }
}

TEST(event_stream, a_copy_that_ends_on_another_thread_failed) {
  onetrip::recorder rec;
  events::begin_copy("Cuda", "to", at(64), "Host", "from", at(128), 1000);
  std::jthread([] { events::end_copy(); }).join();
  events::begin_copy("Cuda", "to", at(64), "Host", "from", at(128), 10);
  events::end_copy();
  EXPECT_EQ(rec.so_far().of(kind::failed_copy).count, 1u) << rec;
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{1, 10})) << rec;
}

TEST(event_stream, kernels_and_fences_of_any_label_do_not_end_a_copy) {
  onetrip::recorder rec;
  events::begin_copy("Cuda", "to", at(64), "Host", "from", at(128), 1000);
  events::fence("a label of next year");
  events::kernel("another");
  events::end_copy();
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{1, 1000})) << rec;
  EXPECT_EQ(rec.so_far().of(kind::fence).count, 1u) << rec;
}

TEST(event_stream, what_a_copy_does_inside_does_not_end_it) {
  onetrip::recorder rec;
  events::begin_copy("Cuda", "to", at(1024), "Host", "from", at(4096), 1000);
  events::fence("Kokkos::deep_copy: copy between contiguous views, pre copy fence");
  events::allocate("Host", "staging", at(8192), 1000);
  events::kernel("Kokkos::ViewCopy-2D");
  events::fence("Kokkos::Tools::invoke_kokkosp_callback: Kokkos Profile Tool Fence");
  events::deallocate("Host", "staging", at(8192), 1000);
  events::fence("Kokkos::deep_copy: copy between contiguous views, post copy fence");
  events::end_copy();
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{1, 1000})) << rec;
  EXPECT_TRUE(first_record(rec).upper_bound);
  EXPECT_EQ(rec.so_far().of(kind::kernel).count, 0u);
  EXPECT_EQ(rec.so_far().of(kind::fence).count, 0u);
  EXPECT_EQ(rec.so_far().of(kind::own_fence).count, 2u);
  EXPECT_EQ(rec.so_far().of(kind::tool_fence).count, 1u);
}

TEST(event_stream, a_fence_of_all_backends_is_one) {
  std::uint32_t const serial = 0;
  std::uint32_t const openmp = 1u << 24;
  std::uint32_t const cuda = 2u << 24;
  auto const fences = [](onetrip::recorder const& rec) { return rec.so_far().of(kind::fence).count; };
  onetrip::recorder rec;
  for (int i = 1; i <= 3; ++i) {
    for (std::uint32_t const backend : {serial, openmp, cuda})
      events::fence("Kokkos::fence: Unnamed Global Fence", backend);
    EXPECT_EQ(fences(rec), static_cast<std::size_t>(i)) << rec;
  }
  events::fence("mine", cuda); // another fence
  EXPECT_EQ(fences(rec), 4u) << rec;
  events::fence("mine", cuda + 1); // of one instance
  events::fence("mine", openmp + 1);
  EXPECT_EQ(fences(rec), 6u) << rec;
  events::fence("theirs", serial);
  events::kernel("between");
  events::fence("theirs", openmp);
  EXPECT_EQ(fences(rec), 8u) << rec;
}

TEST(event_stream, only_packed_copies_are_upper_bounds) {
  onetrip::recorder rec;
  copy("Cuda", "Host", 8);
  events::kernel("Kokkos::ViewCopy-2D"); // Kokkos::resize: no copy is open
  EXPECT_FALSE(first_record(rec).upper_bound) << rec;
}

TEST(event_stream, fill_is_a_scalar_from_memory_that_is_no_view) {
  double const scalar = 1;
  onetrip::recorder rec;
  for (char const* label : {"Scalar", "(none)"}) {
    events::begin_copy("Cuda", "to", at(1024), "Host", label, &scalar, 800);
    events::end_copy();
  }
  EXPECT_EQ(rec.so_far().of(kind::fill), (tally{2, 800 * 2})) << rec;
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{0, 0}));

  events::allocate("Host", "Scalar", at(1 << 20), 800); // a View of that name
  events::begin_copy("Cuda", "to", at(1024), "Host", "Scalar", at((1 << 20) + 128), 800);
  events::end_copy();
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{1, 800})) << rec;
  events::deallocate("Host", "Scalar", at(1 << 20), 800);
  events::begin_copy("Cuda", "to", at(1024), "Host", "Scalar", at((1 << 20) + 128), 800);
  events::end_copy();
  EXPECT_EQ(rec.so_far().of(kind::fill).count, 3u) << rec;

  events::begin_copy("Host", "Scalar", &scalar, "Cuda", "result", at(1024), 8); // deep_copy(scalar, view)
  events::end_copy();
  EXPECT_EQ(rec.transfers(onetrip::to_host), (tally{1, 8})) << rec;
}

TEST(event_stream, alias_and_empty_copies_move_nothing) {
  onetrip::recorder rec;
  events::begin_copy("Host", "v", at(64), "Host", "v", at(64), 800);
  events::end_copy();
  events::begin_copy("Cuda", "v", nullptr, "Host", "w", nullptr, 0);
  events::end_copy();
  events::begin_copy("Cuda", "v", at(64), "Host", "w", at(128), 0);
  events::end_copy();
  auto const seen = rec.so_far();
  EXPECT_EQ(seen.of(kind::alias), (tally{1, 800})); // what it would move on a discrete GPU
  EXPECT_EQ(seen.of(kind::empty_copy), (tally{2, 0}));
  for (auto const& r : seen.records())
    EXPECT_EQ(r.bytes_moved, 0u);
}

TEST(event_stream, unmatched_allocations_and_null_pointers_are_only_listed) {
  onetrip::recorder rec;
  events::allocate("Host", "empty", nullptr, 0);
  events::allocate("Host", "empty", nullptr, 0);
  events::deallocate("Cuda", "[unlabeled]", at(64), 128);
  events::deallocate("Host", "empty", nullptr, 0);
  EXPECT_EQ(rec.so_far().of(kind::allocation), (tally{2, 0}));
  EXPECT_EQ(rec.so_far().of(kind::deallocation), (tally{2, 128}));
}

TEST(event_stream, regions_nest_and_survive_unmatched_pops) {
  onetrip::recorder rec;
  events::pop();
  events::push("solve");
  events::push("step");
  events::kernel("inner");
  events::pop();
  events::kernel("outer");
  events::pop();
  events::pop();
  events::kernel("outside");
  auto const seen = rec.so_far();
  ASSERT_EQ(seen.records().size(), 3u);
  EXPECT_EQ(seen.records()[0].region, "solve/step");
  EXPECT_EQ(seen.records()[1].region, "solve");
  EXPECT_EQ(seen.records()[2].region, "");
}

TEST(event_stream, a_region_left_open_is_not_the_next_recorders) {
  {
    onetrip::recorder rec;
    events::push("left open");
  }
  onetrip::recorder rec;
  events::kernel("k");
  EXPECT_EQ(first_record(rec).region, "");
}

TEST(event_stream, stand_in_ends_with_its_memory) {
  std::vector<double> memory(10);
  Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const view(memory.data(), memory.size());
  auto* const header = reinterpret_cast<char*>(memory.data()) - 128;
  onetrip::recorder rec;
  rec.stand_in(view);
  auto upload = [&](std::size_t offset) {
    events::begin_copy("Host", "v", memory.data() + offset, "Host", "w", at(64), 8);
    events::end_copy();
  };
  upload(0);
  upload(9);
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{2, 16})) << rec;
  upload(10); // one past its end
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{2, 16})) << rec;
  events::deallocate("Host", "v", header, 80);
  upload(0);
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{2, 16})) << rec;
  EXPECT_EQ(rec.so_far().of(kind::copy), (tally{2, 16})) << rec;
}

TEST(event_stream, overlapping_stand_ins_are_one) {
  std::vector<double> memory(100);
  using view = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  for (auto const& [first, second] :
       {std::pair{std::pair{0, 100}, std::pair{0, 10}}, std::pair{std::pair{0, 10}, std::pair{0, 100}},
        std::pair{std::pair{0, 60}, std::pair{40, 100}}, std::pair{std::pair{40, 100}, std::pair{0, 60}},
        std::pair{std::pair{0, 100}, std::pair{50, 51}}}) {
    onetrip::recorder rec;
    rec.stand_in(view(memory.data() + first.first, static_cast<std::size_t>(first.second - first.first)));
    rec.stand_in(view(memory.data() + second.first, static_cast<std::size_t>(second.second - second.first)));
    for (int i = 0; i < 100; ++i) {
      events::begin_copy("Host", "v", memory.data() + i, "Host", "w", at(64), 8);
      events::end_copy();
    }
    EXPECT_EQ(rec.transfers(onetrip::to_device).count, 100u) << first.first << ' ' << second.first;
  }
}

TEST(event_stream, sizes_past_4_gib_are_whole) {
  onetrip::recorder rec;
  for (int i = 0; i < 3; ++i)
    copy("Cuda", "Host", (std::uint64_t{1} << 33) + 1);
  EXPECT_EQ(rec.transfers(onetrip::to_device), (tally{3, 3 * ((std::size_t{1} << 33) + 1)}));
}

} // namespace
