// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <tool/program.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

// Each finding by a program that has it, and by its repaired twin.

namespace {

using onetrip::tool::contents;
using onetrip::tool::finding;
using onetrip::tool::testing::array;
using onetrip::tool::testing::program;

constexpr std::size_t large = 16 * 1024; // elements: sampled

// What clean programs do.

TEST(Findings, CleanProgramsHaveNone) {
  for (auto const how : {contents::none, contents::sampled, contents::full})
    for (std::size_t const size : {3, 64, 20'000}) {
      program p(how);
      array h = p.host("h", size);
      array d = p.device("d", size);
      array e = p.device("e", size);
      array norm = p.device("norm", 1);
      array host_norm = p.host("host norm", 1);
      array pinned = p.make("CudaHostPinned", "out", size);
      p.copy(d, h);
      for (int step = 0; step < 60; ++step) {
        p.compute(d);
        array t = p.device("temporary " + std::to_string(step), size);
        p.compute(e);
        p.free(t);
        p.copy(e, d);
        norm[0] = step;
        p.copy(host_norm, norm);
        if (step % 5 == 4)
          p.copy(pinned, d);
        if (step < 7)
          p.fence();
      }
      p.copy(h, d);
      p.free(d);
      EXPECT_EQ(p.found(), "") << size;
    }
}

// DM01

TEST(Findings, RoundTrip) {
  for (auto const how : {contents::full, contents::sampled})
    for (std::size_t const size : {std::size_t{64}, large}) {
      program p(how);
      array h = p.host("h", size);
      array d = p.device("d", size);
      array other = p.device("other", size);
      p.copy(d, h);
      p.compute(d);
      p.copy(h, d);
      p.copy(d, h);
      p.compute(d);
      bool const is_known = size == 64 || how == contents::full;
      EXPECT_EQ(p.found(), is_known ? "DM01 PROVEN 1/" + std::to_string(size * 8) : "");
      p.copy(h, d);
      p.copy(other, h); // in other memory: likely
      EXPECT_EQ(p.found(), is_known ? "DM01 LIKELY 2/" + std::to_string(2 * size * 8) : "");
    }
}

TEST(Findings, NoRoundTripWhereSomethingChanged) {
  program p(contents::full);
  array h = p.host("h");
  array d = p.device("d");
  array other = p.device("other");
  auto const round = [&](auto between) {
    p.copy(d, h);
    p.compute(d);
    p.copy(h, d);
    between();
    p.copy(d, h);
    p.compute(d);
    p.compute(other);
  };
  round([&] { h[3] = -1; });
  round([&] { p.compute(d); });
  round([&] { p.fill(d, 3); });
  round([&] { p.copy(d, other); });
  EXPECT_EQ(p.found(), "");
  array over = p.host("over");
  round([&] { p.copy(d, over, 0, 5); }); // a part of it, which is then overwritten unused
  EXPECT_EQ(p.found(), "DM04 PROVEN 1/40");
}

// DM02

std::string mirror(int steps, std::size_t size, program& p, bool resident) {
  array u = p.host("u", size);
  array v = p.host("v", size);
  array device_u = p.device("device_u", size);
  array device_v = p.device("device_v", size);
  array* a = &u;
  array* b = &v;
  for (int s = 0; s < steps; ++s) {
    if (!resident || s == 0) {
      p.copy(device_u, *a);
      p.copy(device_v, *b);
    }
    p.kernel("step");
    for (std::size_t i = 0; i < size; ++i)
      device_v[i] = device_u[i] + 0.5 * static_cast<double>(i % 7);
    if (!resident || s + 1 == steps) {
      p.copy(*a, device_u);
      p.copy(*b, device_v);
    }
    std::swap(a, b);
  }
  return p.found();
}

TEST(Findings, PingPongOfSwappedHandles) {
  program p;
  EXPECT_EQ(mirror(2000, 64, p, false), "DM02 LIKELY 3998/2046976, DM02 LIKELY 3998/2046976");
  finding const f = p.account.found().at(0);
  EXPECT_NE(f.fix.find("hoist"), f.fix.npos);
  EXPECT_NE(f.fix.find("swap"), f.fix.npos);
  EXPECT_FALSE(f.what.empty());
  for (int const steps : {99, 100}) {
    program sampled;
    std::string const each =
        "DM02 LIKELY " + std::to_string(2 * (steps - 1)) + '/' + std::to_string(2 * (steps - 1) * large * 8);
    std::string twice = each;
    EXPECT_EQ(mirror(steps, large, sampled, false), twice.append(", ").append(each));
  }
  program stand_ins(contents::sampled, {"nothing", "device_*"});
  EXPECT_EQ(mirror(100, 64, stand_ins, false), "DM02 LIKELY 198/101376, DM02 LIKELY 198/101376");
}

TEST(Findings, NoPingPongOfResidentArrays) {
  program p;
  EXPECT_EQ(mirror(100, 64, p, true), "");
  program unread(contents::none);
  EXPECT_EQ(mirror(100, large, unread, false).find("DM02"), std::string::npos) << "nothing is known without contents";
}

TEST(Findings, PingPongWithChanges) {
  for (auto const how : {contents::full, contents::sampled})
    for (std::size_t const chunks : {1, 32}) { // of 32
      program p(how);
      array h = p.make("CudaHostPinned", "h", large);
      array d = p.device("d", large);
      for (std::size_t i = 0; i < large; ++i)
        h[i] = static_cast<double>(i);
      for (int s = 0; s < 20; ++s) {
        p.copy(d, h);
        p.compute(d);
        p.copy(h, d);
        for (std::size_t i = 0; i < chunks * 512; ++i)
          h[i] += 0.25;
      }
      if (chunks == 32) {
        EXPECT_EQ(p.found(), "");
        continue;
      }
      std::vector<finding> const all = p.account.found();
      ASSERT_EQ(all.size(), 1);
      EXPECT_EQ(all[0].id, "DM02");
      EXPECT_EQ(all[0].how, onetrip::tool::proof::advisory);
      EXPECT_NE(all[0].fix.find("update only 3"), std::string::npos) << all[0].fix;
    }
}

// DM03

TEST(Findings, RepeatedUpload) {
  program p;
  array table = p.host("table");
  array other = p.host("other");
  array d = p.device("d");
  array e = p.device("e");
  p.copy(d, table);
  p.copy(d, table); // nothing between
  p.kernel("use");
  EXPECT_EQ(p.found(), "DM03 PROVEN 1/512");
  p.copy(e, other);
  for (int s = 0; s < 3; ++s) {
    p.kernel("use");
    p.copy(e, other);
  }
  p.kernel("use");
  EXPECT_EQ(p.found(), "DM03 PROVEN 1/512, DM03 LIKELY 3/1536");
}

TEST(Findings, RepeatedUploadSampled) {
  program p;
  array table = p.host("table", large);
  array d = p.device("d", large);
  for (int s = 0; s < 10; ++s) {
    p.copy(d, table);
    p.kernel("use");
  }
  EXPECT_EQ(p.found(), "DM03 LIKELY 9/" + std::to_string(9 * large * 8));
}

TEST(Findings, NoRepeatedUploadOfWhatChanges) {
  program p;
  array h = p.host("h");
  array out = p.host("out");
  array zeros = p.host("zeros");
  std::fill_n(zeros.data(), zeros.size(), 0);
  array d = p.device("d");
  array e = p.device("e");
  array x = p.device("x");
  array start = p.host("start");
  for (int s = 0; s < 10; ++s) {
    h[1] = s;
    p.copy(d, h);
    p.copy(e, zeros);
    p.copy(x, start); // a first guess, which kernels work on
    p.compute(x);
    x[2] = s;
    p.copy(out, x);
    p.fill(d, s);
  }
  EXPECT_EQ(p.found(), "");
}

// DM04

TEST(Findings, DeadUpload) {
  for (auto const how : {contents::none, contents::sampled}) {
    program p(how);
    array h = p.host("h");
    array d = p.device("d");
    array e = p.device("e");
    array f = p.device("f");
    p.copy(d, h);
    h[0] = 7;
    p.copy(d, h); // overwritten
    p.kernel("use");
    p.copy(e, h);
    p.fill(e, 0);
    p.copy(f, h);
    p.free(f);
    p.kernel("use");
    EXPECT_EQ(p.found(), "DM04 PROVEN 1/512, DM04 PROVEN 1/512, DM04 PROVEN 1/512");
  }
}

TEST(Findings, NoDeadUploadWhereItWasUsed) {
  program p;
  array h = p.host("h");
  array d = p.device("d");
  array e = p.device("e");
  array out = p.host("out");
  auto const round = [&](auto use, std::size_t size = 64) {
    h[0] += 1;
    p.copy(d, h);
    use();
    h[0] += 1;
    p.copy(d, h, 0, size);
    p.kernel("use");
  };
  round([&] { p.kernel("use"); });
  round([&] { p.copy(e, d); });
  round([&] { p.fence("of another library's work"); });
  round([&] { p.copy(out, e); }); // the result of such work
  round([] {}, 10);               // a part alone
  EXPECT_EQ(p.found(), "");
}

// DM05

TEST(Findings, UselessDownload) {
  program p;
  array h = p.host("h");
  array d = p.device("d");
  p.compute(d);
  d[5] = 2;
  p.copy(h, d);
  p.copy(h, d); // nothing between
  EXPECT_EQ(p.found(), "DM05 PROVEN 1/512");
  for (int s = 0; s < 4; ++s) {
    p.kernel("elsewhere");
    p.copy(h, d);
  }
  EXPECT_EQ(p.found(), "DM05 PROVEN 5/2560");
  p.copy(d, h); // the last of them counts with its round trip
  EXPECT_EQ(p.found(), "DM05 PROVEN 4/2048, DM01 PROVEN 2/1024");
  program q;
  array big = q.host("big", large);
  array e = q.device("e", large);
  e[1] = 3;
  e[large - 1] = 4;
  for (int s = 0; s < 10; ++s) {
    q.kernel("elsewhere");
    q.copy(big, e);
  }
  EXPECT_EQ(q.found(), "DM05 LIKELY 8/" + std::to_string(8 * large * 8)) << "the first two are not looked at";
}

TEST(Findings, NoUselessDownloadWhereOneBroughtSomething) {
  program p;
  array h = p.host("h");
  array d = p.device("d");
  array flag = p.device("flag", 1);
  array host_flag = p.host("host flag", 1);
  for (int s = 0; s < 20; ++s) {
    p.kernel("sometimes");
    d[0] = static_cast<double>(s / 5); // NOLINT(bugprone-integer-division)
    p.copy(h, d);
    p.copy(host_flag, flag); // always 0
    p.copy(h, d, false);     // not waited for
  }
  EXPECT_EQ(p.found(), "");
}

// DM07, DM08, DM09, DM11, DM12, DM15

} // namespace
