// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tool/program.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

// Findings of what recurs, and what must not confuse any.

namespace {

using onetrip::tool::contents;
using onetrip::tool::finding;
using onetrip::tool::testing::array;
using onetrip::tool::testing::program;

TEST(Habits, PageableTransfers) {
  for (std::string const space : {"Host", "CudaHostPinned"})
    for (std::size_t const size : {8191, 8192})
      for (int const count : {3, 4}) {
        program p;
        array d = p.device("d", size);
        array h = p.make(space, "h", size);
        for (int s = 0; s < count; ++s) {
          p.compute(d);
          p.copy(h, d);
        }
        EXPECT_EQ(p.found(), space == "Host" && size == 8192 && count == 4 ? "DM07 LIKELY 0/0" : "");
      }
}

TEST(Habits, ManySmallTransfers) {
  for (int const at_once : {7, 8}) {
    program p;
    array h = p.host("h", 1000);
    array d = p.device("d", 1000);
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(at_once); ++i) {
        h[i * 100] += 1;
        p.copy(d, h, i * 100, 50);
      }
      p.kernel("use");
    }
    EXPECT_EQ(p.found(), at_once == 8 ? "DM08 ADVISORY 0/0" : "");
    if (at_once == 8) {
      EXPECT_EQ(p.account.found().at(0).count, 24);
    }
  }
}

TEST(Habits, FencesInLoops) {
  for (int const steps : {7, 8}) {
    program p;
    for (int s = 0; s < steps; ++s) {
      p.kernel("a");
      p.kernel("b");
      p.fence("Kokkos::parallel_reduce: fence due to result being value, not view");
    }
    EXPECT_EQ(p.found(), steps == 8 ? "DM09 ADVISORY 0/0" : "");
  }
  program irregular;
  for (int s = 0; s < 30; ++s) {
    for (int k = 0; k <= s % 2; ++k)
      irregular.kernel("a");
    irregular.fence();
    irregular.fence("nothing ran before this one");
  }
  EXPECT_EQ(irregular.found(), "");
}

TEST(Habits, AllocationChurn) {
  for (int const steps : {3, 4}) {
    program p;
    for (int s = 0; s < steps; ++s) {
      array t = p.device("t");
      p.kernel("use");
      p.free(t);
    }
    EXPECT_EQ(p.found(), steps == 4 ? "DM11 PROVEN 3/0" : "");
  }
  program p;
  std::vector<array> all;
  for (int i = 0; i < 10; ++i) // of one name, at one time
    all.push_back(p.device("t"));
  p.kernel("use");
  for (array& a : all)
    p.free(a);
  for (std::size_t i = 1; i < 10; ++i) { // of other sizes, and with no kernel between
    array grown = p.device("t", 64 + i);
    p.kernel("use");
    p.free(grown);
    array unused = p.device("unused");
    p.free(unused);
  }
  EXPECT_EQ(p.found(), "");
}

TEST(Habits, NeedlessInitialisation) {
  program p;
  array h = p.host("h");
  array d = p.make("Cuda", "d", 64, true);
  p.copy(d, h);
  p.kernel("use");
  EXPECT_EQ(p.found(), "DM12 PROVEN 0/0");
  array e = p.make("Cuda", "e", 64, true);
  p.fill(e, 3);
  p.kernel("use");
  EXPECT_EQ(p.found(), "DM12 PROVEN 0/0, DM12 PROVEN 0/0");
  program q;
  array from = q.host("from");
  array uninitialised = q.make("Cuda", "d", 64, false);
  q.copy(uninitialised, from);
  array part = q.make("Cuda", "part", 64, true);
  q.copy(part, from, 0, 63);
  array used = q.make("Cuda", "used", 64, true);
  q.kernel("use");
  q.copy(used, from);
  q.kernel("use");
  EXPECT_EQ(q.found(), "");
}

TEST(Habits, CopiesOfAliases) {
  for (int const count : {2, 3}) {
    program p;
    array a = p.host("a");
    for (int s = 0; s < count; ++s)
      p.copy(a, a);
    EXPECT_EQ(p.found(), count == 3 ? "DM15 ADVISORY 0/0" : "");
  }
}

// What could mislead.

TEST(Habits, FreedMemoryIsForgotten) {
  program p(contents::full);
  array h = p.host("h");
  array d = p.device("d");
  p.copy(d, h);
  p.compute(d);
  p.copy(h, d);
  p.free(d);
  p.account.allocate("Cuda", "new", d.memory.data(), 512); // at the same address
  p.copy(d, h);
  p.compute(d);
  EXPECT_EQ(p.found(), "");
  // Allocated anew without a free that was seen.
  p.copy(h, d);
  p.account.allocate("Cuda", "newer", d.memory.data() + 8, 512);
  p.copy(d, h);
  p.compute(d);
  EXPECT_EQ(p.found(), "");
}

TEST(Habits, OverlappingRangesChangeEachOther) {
  program p(contents::full);
  array h = p.host("h");
  array k = p.host("k");
  array d = p.device("d");
  p.copy(d, h);
  p.kernel("use");
  p.copy(h, d, 0, 40);
  p.copy(d, k, 30, 20); // into its end
  p.copy(d, h, 0, 40);
  p.kernel("use");
  EXPECT_EQ(p.found(), "");
  p.copy(h, d, 0, 20);
  p.copy(d, k, 30, 20); // beside it
  p.copy(d, h, 0, 20);
  p.kernel("use");
  EXPECT_EQ(p.found(), "DM01 PROVEN 1/160");
}

TEST(Habits, ThreadsAreToldApart) {
  program p(contents::full);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      array h = p.host("h" + std::to_string(t));
      array d = p.device("d" + std::to_string(t));
      for (int s = 0; s < 500; ++s) {
        h[0] = s * 10 + t;
        p.copy(d, h);
        p.compute(d);
        p.copy(h, d);
      }
    });
  for (std::thread& t : threads)
    t.join();
  for (finding const& f : p.account.found())
    EXPECT_EQ(f.bytes_saved, 0) << f.what;
}

TEST(Habits, AByteCountsOnce) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::minstd_rand random(seed);
    auto const below = [&](std::size_t n) { return random() % n; };
    program p(seed % 3 == 0 ? contents::full : seed % 3 == 1 ? contents::sampled : contents::none);
    std::vector<array> host, device;
    for (int i = 0; i < 3; ++i) {
      host.push_back(p.host("h" + std::to_string(i), 1000));
      device.push_back(p.device("d" + std::to_string(i), 1000));
    }
    std::uint64_t bytes = 0, count = 0;
    for (int i = 0; i < 2000; ++i) {
      array& h = host[below(3)];
      array& d = device[below(3)];
      std::size_t const size = below(4) == 0 ? 100 : 1000;
      std::size_t const what = below(10);
      if (what < 7) {
        what < 4 ? p.copy(d, h, 0, size, below(8) != 0) : p.copy(h, d, 0, size, below(8) != 0);
        bytes += size * 8;
        ++count;
      } else if (what == 7) {
        p.compute(d);
      } else if (what == 8 && below(3) == 0) {
        h[below(1000)] += 1;
      } else if (below(20) == 0) {
        p.fill(d, 3);
      }
    }
    std::uint64_t bytes_saved = 0, count_saved = 0;
    for (finding const& f : p.account.found()) {
      bytes_saved += f.bytes_saved;
      count_saved += f.count_saved;
      EXPECT_LE(f.bytes_saved, f.bytes) << f.what;
    }
    EXPECT_LE(bytes_saved, bytes);
    EXPECT_LE(count_saved, count);
    EXPECT_GT(count_saved, 0);
  }
}

TEST(Habits, HostileStreamsDoNoHarm) {
  std::vector<double> real(2000, 1);
  std::vector<void const*> const pointers{
      nullptr,
      real.data(),
      real.data() + 16,
      real.data() + 500,
      reinterpret_cast<void*>(8),
      reinterpret_cast<void*>(~0ULL), // NOLINT(performance-no-int-to-ptr): no memory is there
      reinterpret_cast<void*>(0x7000'0000'0000)};
  std::vector<std::uint64_t> const sizes{0, 1, 8, 512, 5000, 1U << 20, ~0ULL, ~0ULL / 2};
  std::vector<std::string> const spaces{"Host", "Cuda", "CudaUVM", "", "Anonymous", "\"\\\xff"};
  std::vector<std::string> const labels{
      "",  "a",       "Scalar", "(none)", "Kokkos::View::initialization [a] via memset", "Kokkos::ViewCopy-2D",
      "[", "\xff\n\""};
  for (auto const how : {contents::none, contents::sampled, contents::full}) {
    program p(how, {"a"});
    std::minstd_rand random(5);
    auto const any = [&](auto const& of) -> auto const& { return of[random() % of.size()]; };
    for (int i = 0; i < 10'000; ++i) {
      auto& l = p.account;
      switch (random() % 11) {
      case 0: l.allocate(any(spaces), any(labels), any(pointers), any(sizes)); break;
      case 1: l.deallocate(any(spaces), any(labels), any(pointers), any(sizes)); break;
      case 2:
      case 3:
      case 4:
      case 5:
        l.begin_copy({any(spaces), any(labels), any(pointers)}, {any(spaces), any(labels), any(pointers)}, any(sizes));
        break;
      case 6: l.end_copy(); break;
      case 7: l.end_kernel(l.begin_kernel(any(labels), static_cast<std::uint32_t>(random()))); break;
      case 8: l.begin_fence(any(labels), static_cast<std::uint32_t>(random())); break;
      case 9: l.push_region(any(labels)); break;
      default: l.pop_region(); break;
      }
      if (i % 2000 == 0)
        l.found();
    }
    // More ranges than are kept.
    for (std::uintptr_t i = 0; i < 120'000; ++i) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): no memory is there
      auto* const at = reinterpret_cast<char*>(0x1000'0000'0000 + i * 64);
      p.account.begin_copy({"Cuda", "a", at}, {"Host", "b", at + (1ULL << 40)}, 64);
      p.account.end_copy();
    }
  }
}

} // namespace
