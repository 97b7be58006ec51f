// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fuse/arrays.hpp"
#include "support/labels.hpp"

// What Kokkos sees of a call, on which instance it runs, and where it may be written.

namespace {

using namespace fuse_tests;
using onetrip::fuse;
using onetrip::in;
using onetrip::kind;
using onetrip::store;

using events = std::vector<std::pair<kind, std::string>>;

/// Lets Kokkos allocate what its reductions need on this instance, which it keeps.
void reduce_once() {
  array<double> const x("x", 1);
  double a = 0, b = 0, c = 0;
  fuse(device(), "first", onetrip::sum(a, x), onetrip::min_of(b, x), onetrip::max_of(c, x));
}

/// What Kokkos did in `call`, but for fences that the recorder itself brings about.
template <class F>
events events_of(F const& call) {
  reduce_once();
  onetrip::recorder rec;
  call();
  onetrip::account const seen = rec.so_far();
  EXPECT_THAT(test_support::foreign_labels(seen, "onetrip"), testing::IsEmpty());
  events found;
  for (onetrip::record const& r : seen.records())
    if (r.what != kind::tool_fence)
      found.emplace_back(r.what, r.label);
  return found;
}

events one_kernel(char const* label) { return {{kind::kernel, label}}; }

/// With the wait for a result of the host's.
events kernel_and_fence(char const* label) { return {{kind::kernel, label}, {kind::fence, "onetrip::fuse::result"}}; }

events between(std::pair<kind, std::string> const& before, events seen, std::pair<kind, std::string> const& after) {
  seen.insert(seen.begin(), before);
  seen.push_back(after);
  return seen;
}

TEST(events, every_call_is_one_kernel_and_nothing_else) {
  for (std::size_t const n : {std::size_t{1}, std::size_t{257}, std::size_t{100'000}}) {
    array<double> const x("x", n), y("y", n), z("z", n), w("w", n);
    scalar<double> const s("s"), least("least");
    Kokkos::View<double**, Kokkos::LayoutLeft, device> const m("m", n, 3);
    auto const column = Kokkos::subview(m, Kokkos::ALL, 1);
    auto const rows = Kokkos::subview(m, std::pair<std::size_t, std::size_t>(0, n), std::pair(1, 3));
    EXPECT_EQ(events_of([&] { onetrip::assign(device(), x, (in(y) + z) * 3.0 / 2.0); }),
              one_kernel("onetrip::assign::store"));
    EXPECT_EQ(events_of([&] { fuse(device(), "in_place", store(x, in(x) + in(s))); }),
              one_kernel("onetrip::fuse::in_place"));
    EXPECT_EQ(
        events_of([&] { fuse(device(), "three", store(x, in(w) + y), store(y, in(w)-z), store(z, in(x)*in(y))); }),
        one_kernel("onetrip::fuse::three"));
    EXPECT_EQ(events_of([&] { fuse(device(), "strided", store(column, in(x) * 2.0)); }),
              one_kernel("onetrip::fuse::strided"));
    EXPECT_EQ(events_of([&] { fuse(device(), "rank_2", store(rows, 1.0)); }), one_kernel("onetrip::fuse::rank_2"));
    EXPECT_EQ(events_of([&] { fuse(device(), "results", onetrip::sum(s, x), onetrip::min_of(least, in(x)*y)); }),
              one_kernel("onetrip::fuse::results"));
    EXPECT_EQ(events_of([&] { fuse(device(), "both", store(x, in(y) * 2.0), onetrip::sum(s, x)); }),
              one_kernel("onetrip::fuse::both"));
    double total = 0, greatest = 0;
    EXPECT_EQ(events_of([&] { fuse(device(), "host", onetrip::sum(total, x), onetrip::max_of(greatest, y)); }),
              kernel_and_fence("onetrip::fuse::host"));
    EXPECT_EQ(events_of([&] { fuse(device(), "mixed", onetrip::sum(total, x), onetrip::sum(s, y)); }),
              kernel_and_fence("onetrip::fuse::mixed"));
  }
}

TEST(events, of_calls_without_elements_are_the_same) {
  array<double> const none("none", 0);
  scalar<double> const s("s");
  double total = 99;
  EXPECT_EQ(events_of([&] { onetrip::assign(device(), none, 1.0); }), one_kernel("onetrip::assign::store"));
  EXPECT_EQ(events_of([&] { fuse(device(), "none", onetrip::sum(s, none)); }), one_kernel("onetrip::fuse::none"));
  EXPECT_EQ(events_of([&] { fuse(device(), "none", onetrip::sum(total, none)); }),
            kernel_and_fence("onetrip::fuse::none"));
}

TEST(events, without_an_instance_stand_between_two_fences) {
  array<double> const x("x", 10);
  double total = 0;
  EXPECT_EQ(events_of([&] { onetrip::assign(x, 2.0); }), (events{{kind::fence, "onetrip::assign::before"},
                                                                 {kind::kernel, "onetrip::assign::store"},
                                                                 {kind::fence, "onetrip::assign::after"}}));
  EXPECT_EQ(events_of([&] { fuse("test", onetrip::sum(total, x)); }),
            between({kind::fence, "onetrip::fuse::before"}, kernel_and_fence("onetrip::fuse::test"),
                    {kind::fence, "onetrip::fuse::after"}));
  EXPECT_EQ(total, 20);
}

TEST(events, making_expressions_and_statements_does_nothing) {
  array<double> const x("x", 10);
  scalar<double> const s("s");
  EXPECT_EQ(events_of([&] {
              auto const e = onetrip::sqrt((in(x) + x) * 2.0);
              (void)store(x, e);
              (void)onetrip::sum(s, e);
            }),
            events());
}

TEST(events, kernels_run_on_the_instance_given) {
  auto const instances = Kokkos::Experimental::partition_space(device(), 1, 1);
  array<double> const x("x", 1000), y("y", 1000);
  scalar<double> const s("s");
  for (device const& exec : instances) {
    onetrip::recorder rec;
    onetrip::assign(exec, x, 2.0);
    fuse(exec, "test", store(y, in(x) * 3.0), onetrip::sum(s, x));
    double total = 0;
    fuse(exec, "test", onetrip::sum(total, in(y) + in(s)));
    EXPECT_EQ(total, 1000 * (6 + 2000.0));
    onetrip::account const seen = rec.so_far();
    for (onetrip::record const& r : seen.records()) {
      if (r.what == kind::kernel || r.what == kind::fence) {
        EXPECT_EQ(r.device, Kokkos::Tools::Experimental::device_id(exec)) << seen;
      }
    }
    EXPECT_EQ(seen.of(kind::kernel).count, 3u);
    EXPECT_EQ(seen.of(kind::fence).count, 1u);
  }
}

#ifdef KOKKOS_ENABLE_OPENMP // other builds of Kokkos may not be entered from several threads
TEST(threads, each_with_an_instance_of_its_own) {
  auto const instances = Kokkos::Experimental::partition_space(device(), 1, 1);
  std::vector<array<int>> arrays;
  for (std::size_t t = 0; t < instances.size(); ++t)
    arrays.emplace_back("x", 1000 + t);
  std::vector<long> totals(instances.size());
  {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < instances.size(); ++t)
      running.emplace_back([&, t] {
        for (int i = 0; i < 200; ++i)
          fuse(instances[t], "test", store(arrays[t], in(arrays[t]) + static_cast<int>(t + 1)),
               onetrip::sum(totals[t], arrays[t]));
      });
  }
  for (std::size_t t = 0; t < totals.size(); ++t)
    EXPECT_EQ(totals[t], static_cast<long>(200 * (t + 1) * (1000 + t)));
}
#endif

// Where a call may be written.

class solver {
public:
  explicit solver(int n) : m_x("x", n) {}
  double run() {
    step();
    return m_total;
  }

private:
  void step() { // nvcc takes no extended lambda here
    if constexpr (std::is_same_v<decltype(m_two), double>)
      fuse(device(), "member", store(m_x, in(m_x) + m_two * 2.0), onetrip::sum(m_total, m_x));
  }
  array<double> m_x;
  double m_two = 2;
  double m_total = 0;
};

TEST(uses, from_private_members) { EXPECT_EQ(solver(10).run(), 40); }

} // namespace

namespace user {

struct vec {
  double a;
};
vec operator+(vec a, vec b) { return {a.a + b.a}; }
template <class T>
vec operator*(double a, vec const& b) {
  return {a * b.a};
}

template <class E, class View>
void twice(E const& e, View const& x) {
  using onetrip::in;
  onetrip::assign(fuse_tests::device(), x, e + 2.0 * e - -e);
}

} // namespace user

TEST(uses, from_namespaces_with_operators_of_their_own) {
  auto const x = make<double>({1, 2, 3});
  user::twice(in(x), x);
  user::twice(in(x)*x, x);
  EXPECT_EQ(values_of(x), (std::vector<double>{64, 256, 576}));
}

TEST(uses, from_generic_lambdas) {
  auto const x = make<double>({1, 2, 3});
  auto const doubled = [](auto const& v) { return in(v) * 2; };
  auto const run = [&](auto const&... statements) { fuse(device(), "test", statements...); };
  double total = 0;
  run(store(x, doubled(x)), onetrip::sum(total, x));
  EXPECT_EQ(total, 12);
}

TEST(uses, functions_unqualified_beside_those_of_std_and_kokkos) {
  using namespace std;
  auto const x = make<double>({4, 9, 16}), y = make<double>({16, 9, 4});
  fuse_tests::array<double> const out("out", 3);
  onetrip::assign(device(), out, max(in(x), in(y)) - min(in(x), in(y)) + sqrt(in(x)) + clamp(in(x), in(y), in(y)));
  EXPECT_EQ(values_of(out), (std::vector<double>{12 + 2 + 16, 3 + 9, 12 + 4 + 4}));
}

/// An expression whose Views and numbers have no other name any more.
static auto expression_of_locals() {
  array<double> const x("x", 3), y("y", 3);
  Kokkos::deep_copy(x, 2.0);
  Kokkos::deep_copy(y, 5.0);
  double const factor = 3;
  scalar<double> const s("s");
  Kokkos::deep_copy(s, 7.0);
  return (in(x) + y) * factor - in(s);
}

TEST(uses, expressions_outlive_the_names_they_were_made_from) {
  auto const e = expression_of_locals();
  auto const copy = e; // NOLINT(performance-unnecessary-copy-initialization): it is what is tested
  array<double> const out("out", 3);
  onetrip::assign(device(), out, copy + e);
  EXPECT_EQ(values_of(out), (std::vector<double>{28, 28, 28}));
}

TEST(uses, literals_are_constants_that_the_compiler_knows) {
  auto const x = make<float>({1, 2, 3});
  auto const e = onetrip::literal<0.5> * in(x) + onetrip::literal<1>;
  onetrip::assign(device(), x, e);
  EXPECT_EQ(values_of(x), (std::vector<float>{1.5f, 2, 2.5f}));
}
