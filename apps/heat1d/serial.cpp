// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/serial.hpp>

#include <cmath>
#include <cstddef>
#include <utility>

namespace heat1d {

namespace {

template <class T>
T next(T left, T centre, T right, T r) {
  return std::fma(r, std::fma(T(-2), centre, left + right), centre);
}

template <class T>
void set_ends(fixed_ends, std::vector<T> const& u, std::vector<T>& v, T) {
  v.front() = u.front();
  v.back() = u.back();
}

template <class T>
void set_ends(insulated_ends, std::vector<T> const& u, std::vector<T>& v, T r) {
  v.front() = next(u.front(), u.front(), u[1], r);
  v.back() = next(u[u.size() - 2], u.back(), u.back(), r);
}

template <class T>
void set_ends(periodic_ends, std::vector<T> const& u, std::vector<T>& v, T r) {
  v.front() = next(u.back(), u.front(), u[1], r);
  v.back() = next(u[u.size() - 2], u.back(), u.front(), r);
}

} // namespace

template <class T>
std::vector<T> serial(std::vector<T> const& start, std::int64_t steps, T r, boundary const& ends,
                      std::function<void(std::int64_t)> const& after_step) {
  std::vector<T> u = start;
  std::vector<T> v(start.size());
  for (std::int64_t s = 0; s < steps; ++s) {
    for (std::size_t i = 1; i + 1 < u.size(); ++i)
      v[i] = next(u[i - 1], u[i], u[i + 1], r);
    std::visit([&](auto e) { set_ends(e, u, v, r); }, ends);
    std::swap(u, v);
    after_step(s + 1);
  }
  return u;
}

template std::vector<float> serial(std::vector<float> const&, std::int64_t, float, boundary const&,
                                   std::function<void(std::int64_t)> const&);
template std::vector<double> serial(std::vector<double> const&, std::int64_t, double, boundary const&,
                                    std::function<void(std::int64_t)> const&);

} // namespace heat1d
