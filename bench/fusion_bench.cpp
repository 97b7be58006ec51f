// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "baselines/eigen.hpp"
#include "baselines/fusion_raw.hpp"
#include "baselines/xtensor.hpp"
#include "support/check.hpp"
#include "support/run.hpp"

#include <fusion/arrays.hpp>
#include <fusion/chain.hpp>
#include <fusion/run.hpp>
#include <fusion/scaled_sum.hpp>

#include <common/memory_check.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

// The rows of fusion: the program's variants and, on the same arrays, raw kernels and other libraries' expressions.

namespace {

namespace eigen = baselines::eigen;
namespace raw = baselines::raw;
namespace xtensor = baselines::xtensor;

template <class T>
struct copy_answer {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return fusion::input<T>(0, i); }
};

template <class T>
struct scaled_sum_answer {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return fusion::scaled_sum_expected<T>(i); }
};

template <class T>
struct chain_answer {
  KOKKOS_FUNCTION T operator()(std::int64_t i) const { return fusion::chain_expected<T>(raw::chain_ops, i); }
};

/// Makes the rows of a case.
template <class T, class Answer>
class case_rows {
public:
  case_rows(std::string name, fusion::arrays<T> const& x, std::vector<bench::row>& rows)
      : m_name(std::move(name)), m_arrays(x), m_rows(rows) {}

  /// A variant whose kernels a recorder sees.
  void add(fusion::variant const& v) {
    add(v,
        [run = v.run]() -> bench::counters { return {{"kernels", static_cast<double>(fusion::count_kernels(run))}}; });
  }

  /// One whose kernels it doesn't see: they are declared.
  void add(fusion::variant const& v, int kernels, std::string const& label = "") {
    add(v, [run = v.run, kernels]() -> bench::counters {
      run();
      return {{"kernels", kernels}};
    });
    m_rows.back().label = label;
  }

private:
  void add(fusion::variant const& v, std::function<bench::counters()> count) {
    bench::row r;
    r.case_name = m_name;
    r.variant = v.name;
    r.bytes_read = v.arrays.read * m_arrays.out.size() * sizeof(T);
    r.bytes_written = v.arrays.written * m_arrays.out.size() * sizeof(T);
    r.prepare = [x = m_arrays] { fusion::poison(x); };
    r.count = std::move(count);
    r.run = v.run;
    r.check = [x = m_arrays, tolerance = v.tolerance, who = m_name + ", " + v.name] {
      return bench::largest_difference(x.out, Answer{}, tolerance, who);
    };
    m_rows.push_back(std::move(r));
  }

  std::string m_name;
  fusion::arrays<T> m_arrays;
  std::vector<bench::row>& m_rows;
};

template <class T>
std::vector<bench::row> rows_on(fusion::arrays<T> const& x) {
  T const *const a = x.a.data(), *const b = x.b.data(), *const c = x.c.data();
  T* const out = x.out.data();
  auto const size = static_cast<std::int64_t>(x.out.size());
  constexpr fusion::traffic scaled_sum_once = fusion::fused::scaled_sum_traffic;
  constexpr fusion::traffic chain_once = fusion::fused::chain_traffic;
  std::vector<bench::row> rows;

  case_rows<T, copy_answer<T>> copy("copy", x, rows);
  copy.add({"copy", {1, 1}, 0, [x] { Kokkos::deep_copy(fusion::execution_space(), x.out, x.a); }}, 0);

  case_rows<T, scaled_sum_answer<T>> scaled_sum("scaled_sum", x, rows);
  scaled_sum.add({"raw", scaled_sum_once, 0, [=] { raw::scaled_sum(a, b, c, fusion::divisor<T>, out, size); }}, 1);
  for (fusion::variant const& v : fusion::scaled_sum_variants(x))
    scaled_sum.add(v);
#ifdef ONETRIP_BENCH_HAVE_EIGEN
  std::string const threads = eigen::is_split ? "split over threads" : "one thread";
  scaled_sum.add({"eigen", scaled_sum_once, 0, [=] { eigen::scaled_sum(a, b, c, fusion::divisor<T>, out, size); }}, 1,
                 threads);
#endif
#ifdef ONETRIP_BENCH_HAVE_XTENSOR
  scaled_sum.add({"xtensor", scaled_sum_once, 0, [=] { xtensor::scaled_sum(a, b, c, fusion::divisor<T>, out, size); }},
                 1, "one thread");
#endif

  case_rows<T, chain_answer<T>> chain("chain", x, rows);
  chain.add({"raw", chain_once, 0, [=] { raw::chain(a, out, size); }}, 1);
  for (fusion::variant const& v : fusion::chain_variants(x, raw::chain_ops))
    chain.add(v);
#ifdef ONETRIP_BENCH_HAVE_EIGEN
  // A product and a sum in its expression may be rounded once or twice.
  constexpr double by_rounding = raw::chain_ops * static_cast<double>(std::numeric_limits<T>::epsilon());
  chain.add(
      {"eigen", chain_once, by_rounding, [=] { eigen::chain(a, fusion::factor<T>, fusion::offset<T>, out, size); }}, 1,
      threads);
#endif
  return rows;
}

template <class T>
void add_rows(bench::suite& suite, std::string const& type, std::size_t size) {
  suite.add(type, size, rows_on<T>({}), [size] { return rows_on<T>(fusion::make_arrays<T>(size, true)); });
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
  };
  return bench::run(argc, argv, fusion_bench);
}
