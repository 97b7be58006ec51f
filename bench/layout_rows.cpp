// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout_rows.hpp"

#include "support/check.hpp"

#include <fusion/run.hpp>
#include <fusion/scaled_sum.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

namespace {

using fusion::array;
using fusion::execution_space;
using memory_space = execution_space::memory_space;
using index_type = Kokkos::IndexType<std::int64_t>;

template <int Rank>
using box = Kokkos::MDRangePolicy<execution_space, Kokkos::Rank<Rank>, index_type>;

// One View type for all four arrays: (a + b) * c / s as one writes it by hand.

template <class View>
  requires(View::rank() == 1)
void by_hand(View const& a, View const& b, View const& c, View const& out) {
  auto const s = fusion::divisor<typename View::value_type>;
  Kokkos::parallel_for(
      "bench::layout::rank1", fusion::range(0, static_cast<std::int64_t>(out.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) { out(i) = (a(i) + b(i)) * c(i) / s; });
}

template <class View>
  requires(View::rank() == 2)
void by_hand(View const& a, View const& b, View const& c, View const& out) {
  auto const s = fusion::divisor<typename View::value_type>;
  Kokkos::parallel_for(
      "bench::layout::rank2",
      box<2>({0, 0}, {static_cast<std::int64_t>(out.extent(0)), static_cast<std::int64_t>(out.extent(1))}),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) { out(i, j) = (a(i, j) + b(i, j)) * c(i, j) / s; });
}

template <class View>
  requires(View::rank() == 3)
void by_hand(View const& a, View const& b, View const& c, View const& out) {
  auto const s = fusion::divisor<typename View::value_type>;
  Kokkos::parallel_for(
      "bench::layout::rank3",
      box<3>({0, 0, 0}, {static_cast<std::int64_t>(out.extent(0)), static_cast<std::int64_t>(out.extent(1)),
                         static_cast<std::int64_t>(out.extent(2))}),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t k) {
        out(i, j, k) = (a(i, j, k) + b(i, j, k)) * c(i, j, k) / s;
      });
}

template <class View>
void by_expression(View const& a, View const& b, View const& c, View const& out) {
  onetrip::assign(execution_space(), out, (onetrip::in(a) + b) * c / fusion::divisor<typename View::value_type>);
}

/// The elements of a View of any rank in a row, and where they lie in the array that it is of.
template <class T>
struct elements {
  using execution_space = fusion::execution_space;

  template <class View>
  elements(View const& view, array<T> const& whole) : data(whole.data()), first(view.data() - whole.data()) {
    for (std::size_t r = 0; r < View::rank(); ++r) {
      extent[r] = static_cast<std::int64_t>(view.extent(r));
      stride[r] = static_cast<std::int64_t>(view.stride(r));
    }
  }

  KOKKOS_FUNCTION std::int64_t size() const { return extent[0] * extent[1] * extent[2]; }
  KOKKOS_FUNCTION std::int64_t place(std::int64_t i) const {
    return first + i % extent[0] * stride[0] + i / extent[0] % extent[1] * stride[1] +
           i / extent[0] / extent[1] * stride[2];
  }
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return data[place(i)]; }

  T const* data;
  std::int64_t first;
  std::int64_t extent[3] = {1, 1, 1};
  std::int64_t stride[3] = {0, 0, 0};
};

template <class T>
struct expected_of {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return fusion::scaled_sum_expected<T>(where.place(i)); }

  elements<T> where;
};

/// Throws where other elements than those were written to.
template <class T>
void check_untouched(array<T> const& out, std::int64_t written, std::string const& who) {
  std::int64_t numbers = 0;
  Kokkos::parallel_reduce(
      "bench::layout::numbers", fusion::range(0, static_cast<std::int64_t>(out.size())),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& so_far) { so_far += Kokkos::isnan(out(i)) ? 0 : 1; }, numbers);
  if (numbers != written)
    throw apps::wrong_answer(who + ": wrote to " + std::to_string(numbers) + " elements, not to " +
                             std::to_string(written));
}

/// Makes the rows on the View that `see(array)` is.
template <class T, class See>
void add_layout(std::string const& which, fusion::arrays<T> const& x, See const& see, std::vector<row>& rows) {
  for (bool const is_expression : {false, true}) {
    row r;
    r.case_name = "layout_" + which;
    r.variant = is_expression ? "expression" : "fused";
    if (x.out.data() != nullptr) {
      auto const a = see(x.a), b = see(x.b), c = see(x.c), out = see(x.out);
      elements<T> const where(out, x.out);
      auto const bytes = static_cast<std::size_t>(where.size()) * sizeof(T);
      r.bytes_read = fusion::fused::scaled_sum_traffic.read * bytes;
      r.bytes_written = fusion::fused::scaled_sum_traffic.written * bytes;
      r.prepare = [x] { fusion::poison(x); };
      r.run = is_expression ? std::function<void()>([=] { by_expression(a, b, c, out); })
                            : std::function<void()>([=] { by_hand(a, b, c, out); });
      r.count = [run = r.run]() -> counters { return {{"kernels", static_cast<double>(fusion::count_kernels(run))}}; };
      r.check = [x, where, who = r.case_name + ", " + r.variant] {
        double const error = largest_difference(where, expected_of<T>{where}, 0, who);
        check_untouched(x.out, where.size(), who);
        return error;
      };
    }
    rows.push_back(std::move(r));
  }
}

} // namespace

template <class T>
std::vector<row> layout_rows(fusion::arrays<T> const& x, std::size_t size) {
  std::vector<row> rows;
  if (size < 64)
    return rows;
  int const bits = std::bit_width(size) - 1;
  std::size_t const of_square = std::size_t{1} << bits / 2, of_cube = std::size_t{1} << bits / 3;
  std::array<std::size_t, 2> const area{size / of_square, of_square};
  std::array<std::size_t, 3> const volume{size / of_cube / of_cube, of_cube, of_cube};
  using usual = typename array<T>::array_layout;
  using other = std::conditional_t<std::is_same_v<usual, Kokkos::LayoutLeft>, Kokkos::LayoutRight, Kokkos::LayoutLeft>;
  using rows_of_two = Kokkos::View<T**, Kokkos::LayoutRight, memory_space>;
  using pair = std::pair<std::size_t, std::size_t>;

  add_layout("rank1_misaligned", x, [=](array<T> const& of) { return Kokkos::subview(of, pair(1, size)); }, rows);
  auto const every_second = [=](array<T> const& of) {
    return Kokkos::subview(rows_of_two(of.data(), size / 2, 2), Kokkos::ALL, 0);
  };
  add_layout("rank1_stride2", x, every_second, rows);
  auto const without_halo = [=](array<T> const& of) {
    return Kokkos::subview(Kokkos::View<T**, memory_space>(of.data(), area[0], area[1]), pair(1, area[0] - 1),
                           pair(1, area[1] - 1));
  };
  add_layout("rank2_subview", x, without_halo, rows);
  auto const in_layout = [=]<class Layout>(Layout, array<T> const& of) {
    return Kokkos::View<T***, Layout, memory_space>(of.data(), volume[0], volume[1], volume[2]);
  };
  add_layout("rank3_contiguous", x, [=](array<T> const& of) { return in_layout(usual(), of); }, rows);
  add_layout("rank3_permuted", x, [=](array<T> const& of) { return in_layout(other(), of); }, rows);
  return rows;
}

template std::vector<row> layout_rows(fusion::arrays<float> const&, std::size_t);
template std::vector<row> layout_rows(fusion::arrays<double> const&, std::size_t);

} // namespace bench
