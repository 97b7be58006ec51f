// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "fuse/arrays.hpp"

// Calls that must be refused: the whole message, and that nothing ran.

namespace {

using namespace fuse_tests;
using onetrip::alias_error;
using onetrip::fuse;
using onetrip::in;
using onetrip::shape_error;
using onetrip::store;

using doubles = array<double>;
using matrix = Kokkos::View<double**, Kokkos::LayoutRight, device>;
using strided = Kokkos::View<double*, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged>;

/// What `call` throws, having run nothing.
template <class Error, class F>
std::string message_of(F const& call) {
  onetrip::recorder rec;
  try {
    call();
  } catch (Error const& e) {
    onetrip::account const seen = rec.so_far();
    EXPECT_TRUE(seen.records().empty()) << seen;
    return e.what();
  }
  ADD_FAILURE() << "nothing was thrown\n" << rec;
  return {};
}

TEST(shape_errors, name_the_operand_and_the_shape) {
  doubles const x("x", 5), y("y", 4);
  matrix const m("m", 4, 5), n("n", 5, 4);
  scalar<double> const s("s");
  EXPECT_EQ(
      message_of<shape_error>([&] { onetrip::assign(device(), x, in(y) + 1.0); }),
      "onetrip::assign: 'y' (4) does not fit 'x' (5): from the last dimension on, each extent must be the same, or 1");
  EXPECT_EQ(
      message_of<shape_error>([&] { fuse(device(), "label", store(x, in(x)*m)); }),
      "onetrip::fuse: 'm' (4 x 5) does not fit 'x' (5): from the last dimension on, each extent must be the same, "
      "or 1");
  EXPECT_EQ(
      message_of<shape_error>([&] { fuse(device(), "label", store(m, in(m)*x + y)); }),
      "onetrip::fuse: 'y' (4) does not fit 'm' (4 x 5): from the last dimension on, each extent must be the same, "
      "or 1");
  EXPECT_EQ(
      message_of<shape_error>([&] { onetrip::assign(device(), m, n); }),
      "onetrip::assign: 'n' (5 x 4) does not fit 'm' (4 x 5): from the last dimension on, each extent must be the "
      "same, or 1");
  EXPECT_EQ(message_of<shape_error>([&] { onetrip::assign(device(), s, in(x) * 2.0); }),
            "onetrip::assign: 'x' (5) does not fit 's' (scalar): from the last dimension on, each extent must be the "
            "same, or 1");
}

TEST(shape_errors, an_output_does_not_stretch) {
  doubles const one("one", 1), x("x", 5);
  EXPECT_EQ(
      message_of<shape_error>([&] { onetrip::assign(device(), one, x); }),
      "onetrip::assign: 'x' (5) does not fit 'one' (1): from the last dimension on, each extent must be the same, "
      "or 1");
}

TEST(shape_errors, outputs_of_a_group_have_one_shape) {
  doubles const x("x", 5), y("y", 4), none("none", 0);
  matrix const m("m", 1, 5);
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", store(x, 1.0), store(y, 1.0)); }),
            "onetrip::fuse: outputs 'x' (5) and 'y' (4) must have the same shape");
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", store(x, 1.0), store(m, 1.0)); }),
            "onetrip::fuse: outputs 'x' (5) and 'm' (1 x 5) must have the same shape");
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", store(x, 1.0), store(none, 1.0)); }),
            "onetrip::fuse: outputs 'x' (5) and 'none' (0) must have the same shape");
}

TEST(shape_errors, operands_of_reductions_fit_each_other) {
  doubles const x("x", 5), y("y", 4), none("none", 0);
  double r = 99;
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", onetrip::sum(r, in(x)*y)); }),
            "onetrip::fuse: 'x' (5) and 'y' (4) don't fit: an extent must be the same, or 1");
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", onetrip::sum(r, x), onetrip::max_of(r, none)); }),
            "onetrip::fuse: 'x' (5) and 'none' (0) don't fit: an extent must be the same, or 1");
  EXPECT_EQ(r, 99);
}

TEST(shape_errors, a_reduction_has_an_operand_of_the_full_shape) {
  doubles const x("x", 5), one("one", 1);
  matrix const m("m", 4, 5), row("row", 1, 5), column("column", 4, 1);
  auto const s = make_scalar(2.0, "s");
  double r = 99;
  std::string const rest = ": its value would count once for every element";
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", store(m, 1.0), onetrip::sum(r, x)); }),
            "onetrip::fuse: a reduction has no operand of the group's full shape, 'm' (4 x 5)" + rest);
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", onetrip::sum(r, in(row)*column)); }),
            "onetrip::fuse: a reduction has no operand of the group's full shape, 4 x 5" + rest);
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", onetrip::sum(r, x), onetrip::sum(r, one)); }),
            "onetrip::fuse: a reduction has no operand of the group's full shape, 5" + rest);
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", store(x, 1.0), onetrip::sum(r, in(s) * 2.0)); }),
            "onetrip::fuse: a reduction has no operand of the group's full shape, 'x' (5)" + rest);
  EXPECT_EQ(message_of<shape_error>([&] { fuse(device(), "label", onetrip::sum(r, onetrip::index<0>())); }),
            "onetrip::fuse: a reduction has no operand of the group's full shape, scalar" + rest);
  EXPECT_EQ(r, 99);
}

TEST(shape_errors, name_views_without_a_label_so) {
  doubles const x("x", 5);
  Kokkos::View<double*, device, Kokkos::MemoryUnmanaged> const part(x.data(), 4);
  EXPECT_EQ(message_of<shape_error>([&] { onetrip::assign(device(), x, part); }),
            "onetrip::assign: a View without a label (4) does not fit 'x' (5): from the last dimension on, each extent "
            "must be the same, or 1");
}

std::string written_and_read(std::string const& out, std::string const& input) {
  return out + " and " + input + " are written and read, and share memory other than element by element";
}

/// x[1:] = x[:-1] + 1, where each iteration reads what another one writes.
TEST(alias_errors, shifted_by_one) {
  for (int const n : {256, 1 << 21}) {
    doubles const x("x", n);
    Kokkos::deep_copy(x, 1.0);
    auto const head = Kokkos::subview(x, std::pair(0, n - 1)), tail = Kokkos::subview(x, std::pair(1, n));
    std::string const part = "'x' (" + std::to_string(n - 1) + ")";
    EXPECT_EQ(message_of<alias_error>([&] { onetrip::assign(device(), tail, in(head) + 1.0); }),
              "onetrip::assign: " + written_and_read(part, part));
    EXPECT_EQ(message_of<alias_error>([&] { onetrip::assign(device(), head, in(tail) + 1.0); }),
              "onetrip::assign: " + written_and_read(part, part));
    EXPECT_EQ(values_of(x), filled<double>(n, [](auto) { return 1; })); // nothing was written
  }
}

TEST(alias_errors, between_statements) {
  doubles const x("x", 300), y("y", 299), z("z", 299);
  auto const head = Kokkos::subview(x, std::pair(0, 299)), tail = Kokkos::subview(x, std::pair(1, 300));
  double r = 99;
  std::string const message = "onetrip::fuse: " + written_and_read("'x' (299)", "'x' (299)");
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", store(y, in(head)), store(tail, in(z) * 2.0)); }),
            message);
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", store(tail, in(z) * 2.0), store(y, in(head))); }),
            message);
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", onetrip::sum(r, head), store(tail, in(z))); }), message);
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", store(tail, in(z)), onetrip::sum(r, head)); }), message);
  EXPECT_EQ(r, 99);
  // The same without an overlap runs.
  fuse(device(), "l", store(y, in(tail)), store(tail, in(z) + 2.0), onetrip::sum(r, tail));
  EXPECT_EQ(r, 299 * 2);
}

TEST(alias_errors, broadcast_inputs_and_transposes_of_the_output) {
  matrix const m("m", 5, 5);
  auto const row = Kokkos::subview(m, 2, Kokkos::ALL);
  auto const corner = Kokkos::subview(m, 4, 4);
  Kokkos::View<double**, Kokkos::LayoutLeft, device, Kokkos::MemoryUnmanaged> const transposed(m.data(), 5, 5);
  EXPECT_EQ(message_of<alias_error>([&] { onetrip::assign(device(), m, in(m)-row); }),
            "onetrip::assign: " + written_and_read("'m' (5 x 5)", "'m' (5)"));
  EXPECT_EQ(message_of<alias_error>([&] { onetrip::assign(device(), m, in(m) / corner); }),
            "onetrip::assign: " + written_and_read("'m' (5 x 5)", "'m' (scalar)"));
  EXPECT_EQ(message_of<alias_error>([&] { onetrip::assign(device(), m, transposed); }),
            "onetrip::assign: " + written_and_read("'m' (5 x 5)", "a View without a label (5 x 5)"));
}

TEST(alias_errors, an_output_of_one_element_read_as_a_scalar) {
  doubles const x("x", 1), y("y", 1);
  auto const element = Kokkos::subview(x, 0);
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", store(x, 1.0), store(y, in(y)*element)); }),
            "onetrip::fuse: " + written_and_read("'x' (1)", "'x' (scalar)"));
}

TEST(alias_errors, the_same_bytes_as_elements_of_another_size) {
  array<float> const f("f", 8);
  Kokkos::View<std::int64_t*, device, Kokkos::MemoryUnmanaged> const k(reinterpret_cast<std::int64_t*>(f.data()), 4);
  auto const front = Kokkos::subview(f, std::pair(0, 4));
  EXPECT_EQ(message_of<alias_error>([&] { onetrip::assign(device(), front, onetrip::cast<float>(k)); }),
            "onetrip::assign: " + written_and_read("'f' (4)", "a View without a label (4)"));
}

TEST(alias_errors, outputs_that_overlap) {
  doubles const x("x", 300);
  auto const head = Kokkos::subview(x, std::pair(0, 299)), tail = Kokkos::subview(x, std::pair(1, 300));
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", store(head, 1.0), store(tail, 2.0)); }),
            "onetrip::fuse: 'x' (299) and 'x' (299) are both written, and share memory");
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", store(x, 1.0), store(x, in(x) + 2.0)); }),
            "onetrip::fuse: 'x' (300) and 'x' (300) are both written, and share memory");
  Kokkos::View<double*, Kokkos::LayoutStride, device> const even(x.data(), Kokkos::LayoutStride(150, 2));
  Kokkos::View<double*, Kokkos::LayoutStride, device> const odd(x.data() + 1, Kokkos::LayoutStride(150, 2));
  fuse(device(), "l", store(even, 1.0), store(odd, 2.0)); // interleaved, but apart
  EXPECT_EQ(values_of(x), filled<double>(300, [](auto i) { return 1 + i % 2; }));
}

TEST(alias_errors, an_output_that_overlaps_itself) {
  doubles const x("x", 10);
  strided const same(x.data(), Kokkos::LayoutStride(4, 0));
  EXPECT_EQ(message_of<alias_error>([&] { onetrip::assign(device(), same, 1.0); }),
            "onetrip::assign: a View without a label (4) is written, and its elements share memory with each other");
  Kokkos::View<double**, Kokkos::LayoutStride, device, Kokkos::MemoryUnmanaged> const folded(
      x.data(), Kokkos::LayoutStride(3, 2, 4, 1));
  EXPECT_EQ(
      message_of<alias_error>([&] { onetrip::assign(device(), folded, 1.0); }),
      "onetrip::assign: a View without a label (3 x 4) is written, and its elements share memory with each other");
  strided const single(x.data(), Kokkos::LayoutStride(1, 0)); // one element: none to share with
  onetrip::assign(device(), single, 5.0);
  EXPECT_EQ(values_of(x)[0], 5);
}

TEST(alias_errors, a_result_is_there_only_after_the_group) {
  doubles const x("x", 10), y("y", 10);
  scalar<double> const s("s");
  std::string const rest = " of the same group: the result is there only when the group is done";
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", onetrip::sum(s, x), store(y, in(x)*in(s))); }),
            "onetrip::fuse: 's' (scalar) takes a reduction's result and shares memory with 's' (scalar)" + rest);
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", onetrip::sum(s, in(x)*in(s))); }),
            "onetrip::fuse: 's' (scalar) takes a reduction's result and shares memory with 's' (scalar)" + rest);
  auto const element = Kokkos::subview(y, 3);
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", store(y, 1.0), onetrip::sum(element, x)); }),
            "onetrip::fuse: 'y' (scalar) takes a reduction's result and shares memory with 'y' (10)" + rest);
  EXPECT_EQ(message_of<alias_error>([&] { fuse(device(), "l", onetrip::sum(s, x), onetrip::max_of(s, x)); }),
            "onetrip::fuse: 's' (scalar) and 's' (scalar) take reductions' results and share memory");
}

TEST(alias_errors, are_none_where_nothing_is_written_and_read) {
  doubles const x("x", 10), y("y", 9), none("none", 0);
  auto const head = Kokkos::subview(x, std::pair(0, 9)), tail = Kokkos::subview(x, std::pair(1, 10));
  Kokkos::deep_copy(x, 3.0);
  onetrip::assign(device(), y, in(head) + tail);                           // inputs that overlap
  onetrip::assign(device(), none, Kokkos::subview(none, std::pair(0, 0))); // no elements at all
  onetrip::assign(device(), Kokkos::subview(x, std::pair(5, 5)), in(none) * 2.0);
  EXPECT_EQ(values_of(y), filled<double>(9, [](auto) { return 6; }));
}

} // namespace
