// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fusion/adamw.hpp>

#include <fusion/unfused.hpp>

#include <onetrip/onetrip.hpp>

#include <limits>
#include <string>

namespace fusion {

adamw_arrays make_adamw_arrays(std::size_t size, bool with_temporaries) {
  auto make = [size](std::string const& label) {
    return array<float>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "fusion::arrays::" + label), size);
  };
  adamw_arrays made{make("gradient"), make("parameter"), make("m"), make("v"), {}, {}};
  fill_with_input(made.gradient, adamw_gradient);
  if (with_temporaries) {
    made.first = make("first");
    made.second = make("second");
  }
  return made;
}

void reset(adamw_arrays const& x) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  fill_with_input(x.parameter, adamw_parameter);
  fill_with_input(x.m, adamw_m);
  fill_with_input(x.v, adamw_v);
  Kokkos::deep_copy(x.first, nan);
  Kokkos::deep_copy(x.second, nan);
}

void unfused::adamw(adamw_numbers<float> const& c, adamw_arrays const& x) {
  multiply(x.m, c.beta1, x.m);
  multiply(x.gradient, c.rest1, x.first);
  add(x.m, x.first, x.m);
  multiply(x.v, c.beta2, x.v);
  multiply(x.gradient, x.gradient, x.first);
  multiply(x.first, c.rest2, x.first);
  add(x.v, x.first, x.v);
  multiply(x.v, c.correct2, x.first);
  square_root(x.first, x.first);
  add(x.first, c.epsilon, x.first);
  multiply(x.m, c.correct1, x.second);
  divide(x.second, x.first, x.second);
  multiply(x.parameter, c.decay, x.first);
  add(x.second, x.first, x.second);
  multiply(x.second, c.rate, x.second);
  subtract(x.parameter, x.second, x.parameter);
}

void fused::adamw(adamw_numbers<float> const& c, adamw_arrays const& x) {
  array<float> const gradient = x.gradient, parameter = x.parameter, m = x.m, v = x.v;
  Kokkos::parallel_for(
      "fusion::fused::adamw", range(0, static_cast<std::int64_t>(gradient.size())), KOKKOS_LAMBDA(std::int64_t i) {
        auto const after = adamw_step<float>(c, gradient(i), {m(i), v(i), parameter(i)});
        m(i) = after.m;
        v(i) = after.v;
        parameter(i) = after.parameter;
      });
}

void expression::adamw(adamw_numbers<float> const& c, adamw_arrays const& x) {
  auto const gradient = onetrip::in(x.gradient), parameter = onetrip::in(x.parameter);
  auto const m = onetrip::in(x.m), v = onetrip::in(x.v);
  auto const direction = c.correct1 * m / (onetrip::sqrt(c.correct2 * v) + c.epsilon) + c.decay * parameter;
  onetrip::fuse(execution_space(), "adamw", onetrip::store(x.m, c.beta1 * m + c.rest1 * gradient),
                onetrip::store(x.v, c.beta2 * v + c.rest2 * gradient * gradient),
                onetrip::store(x.parameter, parameter - c.rate * direction));
}

std::vector<variant> adamw_variants(adamw_arrays const& x) {
  adamw_numbers<float> const c(adamw_t);
  std::vector<variant> variants;
  variants.push_back({"unfused", unfused::adamw_traffic, adamw_tolerance, [x, c] { unfused::adamw(c, x); }});
  if constexpr (kernels::available)
    variants.push_back({"kernels", kernels::adamw_traffic, adamw_tolerance, [x, c] { kernels::adamw(c, x); }});
  variants.push_back({"fused", fused::adamw_traffic, adamw_tolerance, [x, c] { fused::adamw(c, x); }});
  variants.push_back({"expression", expression::adamw_traffic, adamw_tolerance, [x, c] { expression::adamw(c, x); }});
  return variants;
}

} // namespace fusion
