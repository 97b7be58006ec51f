// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region/arrays.hpp"
#include "support/event_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// What the errors say: the call and its place, the View and its bytes, what is present instead and where that was made.

namespace {

using namespace region_tests;
using onetrip::copy, onetrip::copyin, onetrip::copyout, onetrip::create;
using onetrip::region;
using unmanaged = Kokkos::View<int*, host, Kokkos::MemoryUnmanaged>;

/// That many lines farther down.
std::string here(int lines, std::source_location where = std::source_location::current()) {
  return "errors_test.cpp:" + std::to_string(static_cast<int>(where.line()) + lines);
}

template <class View>
std::string text(View const& v, std::string const& name) {
  std::ostringstream address;
  address << std::hex << reinterpret_cast<std::uintptr_t>(v.data());
  return name + " (" + std::to_string(v.size() * sizeof(typename View::value_type)) + " bytes at 0x" + address.str() +
         ")";
}

class region_errors : public distinct {
protected:
  device exec;
  array<int> u = count_up("u", 10);
};

TEST_F(region_errors, not_present) {
  auto const ask = [&](auto const& v) {
    return message_of<onetrip::not_present>([&] { (void)onetrip::device(exec, v); });
  };
  std::string const place = here(-2);
  EXPECT_EQ(ask(u), "onetrip::device at " + place + ": " + text(u, "'u'") + " is not present, nor is any other View");
  array<int> const v = count_up("v", 3);
  region const data(exec, copyin(v));
  std::string const v_text = text(v, "'v'") + ", present by onetrip::copyin at " + here(-1);
  EXPECT_EQ(ask(u),
            "onetrip::device at " + place + ": " + text(u, "'u'") + " is not present; the nearest is " + v_text);
  array<int> const again = count_up("v", 5);
  EXPECT_EQ(ask(again), "onetrip::device at " + place + ": " + text(again, "'v'") +
                            " is not present; of the same label there is " + v_text + ": was it resized?");
  int bare[2] = {};
  unmanaged const w(bare, 2);
  EXPECT_EQ(ask(w), "onetrip::device at " + place + ": " + text(w, "a View without a label") +
                        " is not present; the nearest is " + v_text);
}

TEST_F(region_errors, name_the_call) {
  auto const starts = [&](auto const& call) {
    std::string const message = message_of<onetrip::not_present>(call);
    return message.substr(0, message.find(" at "));
  };
  EXPECT_EQ(starts([&] { visit(exec, onetrip::present(u)); }), "onetrip::present");
  EXPECT_EQ(starts([&] { (void)onetrip::device_ro(exec, u); }), "onetrip::device_ro");
  EXPECT_EQ(starts([&] { (void)onetrip::device_rw(exec, u); }), "onetrip::device_rw");
  EXPECT_EQ(starts([&] { (void)onetrip::host_ro(exec, u); }), "onetrip::host_ro");
  EXPECT_EQ(starts([&] { (void)onetrip::host_rw(exec, u); }), "onetrip::host_rw");
  EXPECT_EQ(starts([&] { onetrip::update_host(exec, u); }), "onetrip::update_host");
  EXPECT_EQ(starts([&] { onetrip::update_device(exec, u); }), "onetrip::update_device");
}

TEST_F(region_errors, nearest_is_the_nearer_on_either_side) {
  auto const at = [&](int first, int last) { return Kokkos::subview(u, std::pair(first, last)); };
  region const data(exec, copyin(at(0, 2)), copyin(at(8, 10)));
  auto const nearest = [&](array<int> const& v) {
    unmanaged const bare(v.data(), v.size());
    std::string const message = message_of<onetrip::not_present>([&] { data.device(bare); });
    return message.find(text(at(0, 2), "'u'")) != message.npos ? 0 : 8;
  };
  EXPECT_EQ(nearest(at(3, 4)), 0);
  EXPECT_EQ(nearest(at(7, 8)), 8);
  array<int> const before = at(1, 2);
  region const only(exec, copyin(at(4, 5)));
  EXPECT_EQ(nearest(at(7, 8)), 8);
}

TEST_F(region_errors, partially_present) {
  auto const part = Kokkos::subview(u, std::pair(2, 5));
  region const data(exec, copy(part));
  std::string const made = here(-1);
  std::string place;
  std::string const message = message_of<onetrip::partially_present>([&] {
    place = here(1);
    visit(exec, create(u));
  });
  EXPECT_EQ(message, "onetrip::create at " + place + ": " + text(u, "'u'") +
                         " is present only in part: it shares memory with " + text(part, "'u'") +
                         ", present by onetrip::copy at " + made +
                         "; ranges may not overlap, so name the whole array where it enters");
}

TEST_F(region_errors, another_shape) {
  region const data(exec, copy(u));
  std::string const made = here(-1);
  Kokkos::View<int**, Kokkos::LayoutRight, host, Kokkos::MemoryUnmanaged> const square(u.data(), 2, 5);
  std::string place;
  std::string const message = message_of<onetrip::shape_error>([&] {
    place = here(1);
    (void)data.device(square);
  });
  EXPECT_EQ(message, "onetrip::device at " + place + ": " + text(square, "a View without a label") +
                         " has another element size, rank or layout than " + text(u, "'u'") +
                         ", present by onetrip::copy at " + made + ": one array has one shape on the device");
}

TEST_F(region_errors, of_swap_and_exit) {
  array<int> v = count_up("v", 10), w = count_up("w", 9);
  region const data(exec, copy(u), copy(w));
  std::string const made = here(-1);
  std::string place;
  std::string message = message_of<onetrip::not_present>([&] {
    place = here(1);
    onetrip::swap(u, v);
  });
  EXPECT_EQ(message, "onetrip::swap at " + place + ": " + text(v, "'v'") + " is not present, and " + text(u, "'u'") +
                         ", present by onetrip::copy at " + made + ": both are to be, or neither");
  message = message_of<onetrip::shape_error>([&] {
    place = here(1);
    onetrip::swap(u, w);
  });
  EXPECT_EQ(message, "onetrip::swap at " + place + ": " + text(u, "'u'") + " and " + text(w, "'w'") +
                         " can't change places: their extents or strides differ");
  message = message_of<onetrip::error>([&] {
    place = here(1);
    onetrip::exit_data(exec, copyout(u));
  });
  EXPECT_EQ(message, "onetrip::exit_data at " + place + ": " + text(u, "'u'") +
                         " is held by regions only, and no enter_data: " + text(u, "'u'") +
                         ", present by onetrip::copy at " + made + "; its region's end frees it");
}

#ifndef ONETRIP_ADDRESS_SANITIZER // which ends the program where memory is asked for that no machine has
TEST_F(region_errors, out_of_memory) {
  // where nothing lies, and where no other View does
  unmanaged const huge(static_cast<int*>(test_support::at(std::uintptr_t{1} << 60)), std::size_t{1} << 48);
  array<int> const before = count_up("before", 3);
  std::string place;
  std::string const message = message_of<onetrip::out_of_memory>([&] {
    place = here(1);
    visit(exec, copy(before), create(huge));
  });
  EXPECT_THAT(message, testing::StartsWith("onetrip::create at " + place + ": " + text(huge, "a View without a label") +
                                           ": no 1125899906842624 bytes of memory in " + device::memory_space::name() +
                                           ", where "));
  EXPECT_THAT(message, testing::MatchesRegex(".*, where [1-9][0-9]* are free"));
  EXPECT_FALSE(onetrip::is_present(exec, before) || onetrip::is_present(exec, huge));
  EXPECT_EQ(values_of(before), (std::vector<int>{1, 2, 3}));
}
#else
TEST_F(region_errors, memory_of_the_host_that_is_gone) {
  for (bool const closes : {true, false}) {
    auto memory = std::make_unique<std::vector<int>>(3, 7);
    unmanaged const v(memory->data(), 3);
    array<int> const other = count_up("other", 3);
    auto data =
        std::make_unique<region<device, 2>>(exec, onetrip::alias::never, copy(v, std::source_location()), copy(other));
    set(exec, data->device(v), 1);
    set(exec, data->device(other), 5);
    std::string const expected =
        "onetrip::region: " + text(v, "a View without a label") +
        ", present by onetrip::copy at :0: its memory on the host has been freed, so nothing is copied back";
    memory.reset();
    if (closes) {
      EXPECT_EQ(message_of<onetrip::error>([&] { data->close(); }), expected);
    } else {
      testing::internal::CaptureStderr();
      data.reset();
      EXPECT_EQ(testing::internal::GetCapturedStderr(), expected + "\n");
    }
    EXPECT_EQ(values_of(other), std::vector<int>(3, 5)); // the rest is copied back all the same
    EXPECT_FALSE(onetrip::is_present(exec, other));
  }
}
#endif

TEST_F(region_errors, the_environment_s_words) {
  using setting = onetrip::detail::alias_setting;
  auto const of = [](char const* value) {
    setenv("ONETRIP_ALIAS", value, 1);
    return setting::from_environment();
  };
  EXPECT_EQ(of("auto"), onetrip::alias::automatic);
  EXPECT_EQ(of(""), onetrip::alias::automatic);
  EXPECT_EQ(of("never"), onetrip::alias::never);
  EXPECT_EQ(of("distinct"), onetrip::alias::distinct);
  EXPECT_EQ(message_of<onetrip::error>([&] { of("always"); }),
            "onetrip::region: the environment variable ONETRIP_ALIAS is 'always', none of auto, never, distinct");
  unsetenv("ONETRIP_ALIAS");
  EXPECT_EQ(setting::from_environment(), onetrip::alias::automatic);
}

TEST_F(region_errors, counts_are_told_by_label) {
  array<int> const counted = count_up("counted", 4);
  {
    region const data(exec, copyin(counted));
    region const inner(exec, copy(counted));
    onetrip::update_host(exec, counted);
  }
  auto const fails = [&] {
    region const data(exec, copy(counted));
    set(exec, data.device(counted), 1);
    throw std::runtime_error("halfway");
  };
  EXPECT_THROW(fails(), std::runtime_error);
  std::ostringstream out;
  out << onetrip::region_counts(exec);
  EXPECT_THAT(out.str(),
              testing::HasSubstr("'counted': 2 to device (32 bytes), 1 to host (16 bytes), 2 elided, 1 inner "
                                 "copies back had no effect, 16 bytes abandoned\n"));
  onetrip::ledger::scope const scope;
  {
    region const data(exec, copyin(counted));
  }
  std::ostringstream text;
  text << scope;
  EXPECT_EQ(text.str(), "onetrip: 1 transfers to device (16 bytes), 0 to host (0 bytes), 0 elided, 2 kernels\n");
}

} // namespace
