// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "baselines/adamw_raw.hpp"
#include "baselines/eigen.hpp"
#include "baselines/fusion_raw.hpp"
#include "baselines/norm_raw.hpp"
#include "baselines/xtensor.hpp"
#include "layout_rows.hpp"
#include "support/check.hpp"
#include "support/run.hpp"

#include <fusion/cases.hpp>
#include <fusion/run.hpp>

#include <common/memory_check.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

// The rows of fusion: the program's variants and, on the same arrays, raw kernels and other libraries' expressions.

namespace {

namespace eigen = baselines::eigen;
namespace raw = baselines::raw;
namespace xtensor = baselines::xtensor;

// Beside a case's variants: what isn't Kokkos', whose kernels are declared, since a recorder doesn't see them.
struct foreign_variant {
  fusion::variant what;
  std::string label{};
};

template <class T>
std::int64_t count_of(fusion::array<T> const& x) {
  return static_cast<std::int64_t>(x.size());
}

template <class T>
fusion::variant raw_of(fusion::scaled_sum_case<T> const& of) {
  fusion::arrays<T> const& x = of.x;
  return {"raw", fusion::fused::scaled_sum_traffic, 0, [x] {
            raw::scaled_sum(x.a.data(), x.b.data(), x.c.data(), fusion::divisor<T>, x.out.data(), count_of(x.out));
          }};
}

template <class T>
fusion::variant raw_of(fusion::chain_case<T> const& of) {
  fusion::arrays<T> const& x = of.x;
  return {"raw", fusion::fused::chain_traffic, 0, [x] { raw::chain(x.a.data(), x.out.data(), count_of(x.out)); }};
}

template <class T>
fusion::variant raw_of(fusion::norm_case<T> const& of) {
  fusion::arrays<T> const& x = of.x;
  return {"raw", fusion::fused::norm_traffic, fusion::rounding_of_sum(x.a.size()),
          [x, scratch = raw::norm_scratch(count_of(x.a))] {
            raw::norm(x.a.data(), x.b.data(), count_of(x.a), scratch, x.result.data());
          }};
}

fusion::variant raw_of(fusion::adamw_case const& of) {
  fusion::adamw_arrays const& x = of.x;
  fusion::adamw_numbers<float> const c(fusion::adamw_t);
  return {"raw", fusion::fused::adamw_traffic, fusion::adamw_tolerance, [x, c] {
            raw::adamw(c, x.gradient.data(), x.m.data(), x.v.data(), x.parameter.data(), count_of(x.gradient));
          }};
}

/// The expressions of other libraries.
template <class Case>
std::vector<foreign_variant> libraries_of(Case const&) {
  return {};
}

#ifdef ONETRIP_BENCH_HAVE_EIGEN
constexpr char const* threads_of_eigen = eigen::is_split ? "split over threads" : "one thread";
#endif

template <class T>
std::vector<foreign_variant> libraries_of([[maybe_unused]] fusion::scaled_sum_case<T> const& of) {
  std::vector<foreign_variant> found;
  [[maybe_unused]] constexpr fusion::traffic once = fusion::fused::scaled_sum_traffic;
#ifdef ONETRIP_BENCH_HAVE_EIGEN
  found.push_back({{"eigen", once, 0,
                    [x = of.x] {
                      eigen::scaled_sum(x.a.data(), x.b.data(), x.c.data(), fusion::divisor<T>, x.out.data(),
                                        count_of(x.out));
                    }},
                   threads_of_eigen});
#endif
#ifdef ONETRIP_BENCH_HAVE_XTENSOR
  found.push_back({{"xtensor", once, 0,
                    [x = of.x] {
                      xtensor::scaled_sum(x.a.data(), x.b.data(), x.c.data(), fusion::divisor<T>, x.out.data(),
                                          count_of(x.out));
                    }},
                   "one thread"});
#endif
  return found;
}

#ifdef ONETRIP_BENCH_HAVE_EIGEN
template <class T>
std::vector<foreign_variant> libraries_of(fusion::chain_case<T> const& of) {
  // A product and a sum in its expression may be rounded once or twice.
  constexpr double by_rounding = raw::chain_ops * static_cast<double>(std::numeric_limits<T>::epsilon());
  return {
      {{"eigen", fusion::fused::chain_traffic, by_rounding,
        [x = of.x] { eigen::chain(x.a.data(), fusion::factor<T>, fusion::offset<T>, x.out.data(), count_of(x.out)); }},
       threads_of_eigen}};
}
#endif

template <class Case>
bench::row row_of(Case const& c, fusion::variant const& v) {
  std::size_t const array_bytes = fusion::size_of(c.x) * sizeof(typename Case::value_type);
  bench::row r;
  r.case_name = c.name;
  r.variant = v.name;
  r.bytes_read = v.arrays.read * array_bytes;
  r.bytes_written = v.arrays.written * array_bytes;
  r.prepare = [c] { c.prepare(); };
  r.count = [run = v.run]() -> bench::counters {
    return {{"kernels", static_cast<double>(fusion::count_kernels(run))}};
  };
  r.run = v.run;
  r.check = [c, v, who = std::string(c.name) + ", " + v.name] {
    if (c.in_place) {
      c.prepare();
      v.run();
    }
    double error = 0;
    c.for_each_answer([&](auto const& answer, auto const& expected) {
      error = std::max(error, bench::largest_difference(answer, expected, v.tolerance, who));
    });
    return error;
  };
  return r;
}

/// The same with kernels declared.
template <class Case>
bench::row row_of(Case const& c, foreign_variant const& v, int kernels) {
  bench::row r = row_of(c, v.what);
  r.count = [run = v.what.run, kernels]() -> bench::counters {
    run();
    return {{"kernels", kernels}};
  };
  r.label = v.label;
  return r;
}

/// What a copy leaves: input 0.
template <class Arrays>
struct copy_case {
  using value_type = typename Arrays::value_type;
  static constexpr char const* name = "copy";
  static constexpr bool in_place = false;

  struct answer {
    KOKKOS_FUNCTION value_type operator()(std::int64_t i) const { return fusion::input<value_type>(0, i); }
  };

  void prepare() const { Kokkos::deep_copy(fusion::copied(x), std::numeric_limits<value_type>::quiet_NaN()); }
  template <class F>
  void for_each_answer(F const& f) const {
    f(fusion::copied(x), answer{});
  }

  Arrays x;
};

/// The copy, and each variant of each case on these arrays.
template <class Arrays>
std::vector<bench::row> rows_on(Arrays const& x) {
  std::vector<bench::row> rows;
  foreign_variant const copy{{"copy", {1, 1}, 0, [x] { fusion::copy_once(x); }}};
  rows.push_back(row_of(copy_case<Arrays>{x}, copy, 0));
  fusion::for_each_case(x, raw::chain_ops, [&rows](auto const& c) {
    rows.push_back(row_of(c, {raw_of(c)}, 1));
    for (fusion::variant const& v : c.variants())
      rows.push_back(row_of(c, v));
    for (foreign_variant const& v : libraries_of(c))
      rows.push_back(row_of(c, v, 1));
  });
  return rows;
}

template <class T>
std::vector<bench::row> rows_of(fusion::arrays<T> const& x, std::size_t size) {
  auto rows = rows_on(x);
  for (bench::row& r : bench::layout_rows(x, size))
    rows.push_back(std::move(r));
  return rows;
}

template <class T>
void add_rows(bench::suite& suite, std::string const& type, std::size_t size) {
  suite.add(type, size, rows_of<T>({}, size), [size] { return rows_of(fusion::make_arrays<T>(size, true), size); });
}

/// The copy comes last here, since float's is there already.
std::vector<bench::row> adamw_rows(fusion::adamw_arrays const& x) {
  auto rows = rows_on(x);
  std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  return rows;
}

void add_adamw_rows(bench::suite& suite, std::size_t size) {
  auto outline = adamw_rows({});
  outline.pop_back();
  suite.add("float", size, outline, [size] { return adamw_rows(fusion::make_adamw_arrays(size, true)); });
}

} // namespace

int main(int argc, char** argv) {
  bench::program fusion_bench;
  fusion_bench.name = "fusion";
  fusion_bench.smallest_size = 1;
  fusion_bench.host_bytes = [](std::size_t) { return 0; };
  fusion_bench.device_bytes = [](std::size_t size) {
    return apps::bytes_for(size, fusion::array_count(true) * sizeof(double));
  };
  fusion_bench.add_rows = [](bench::suite& suite, std::size_t size, bool) {
    add_rows<double>(suite, "double", size);
    add_rows<float>(suite, "float", size);
    add_adamw_rows(suite, size);
  };
  return bench::run(argc, argv, fusion_bench);
}
