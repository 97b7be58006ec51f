// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <onetrip/onetrip.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

// Arrays of the host's, kernels on their copies on the device, and what moved meanwhile.

namespace region_tests {

using device = Kokkos::DefaultExecutionSpace;
using host = Kokkos::HostSpace;

template <class T>
using array = Kokkos::View<T*, host>;

/// What poison is in a 32-bit integer.
constexpr int poison = -262149;

/// What regions do with memory that both sides can read, in one scope.
class mode {
public:
  explicit mode(onetrip::alias how) : m_before(onetrip::default_alias()) { onetrip::set_default_alias(how); }
  mode(mode const&) = delete;
  mode& operator=(mode const&) = delete;
  ~mode() { onetrip::set_default_alias(m_before); }

private:
  onetrip::alias m_before;
};

/// Tests on copies of their own, poisoned.
class distinct : public testing::Test {
  mode m_mode{onetrip::alias::distinct};
};

template <class T>
array<T> make(std::string const& label, std::vector<T> const& values) {
  array<T> const made(label, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    made(i) = values[i];
  return made;
}

/// A region that ends at once.
template <class... C>
void visit(device const& exec, C const&... clauses) {
  onetrip::region const data(exec, clauses...);
}

/// 1, 2, 3 ...
inline array<int> count_up(std::string const& label, int n) {
  array<int> const made(label, static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    made(i) = i + 1;
  return made;
}

template <class View>
std::vector<typename View::non_const_value_type> values_of(View const& v) {
  std::vector<typename View::non_const_value_type> found;
  for (std::size_t i = 0; i < v.extent(0); ++i)
    found.push_back(v(i));
  return found;
}

template <class View>
struct add_to {
  View x;
  typename View::non_const_value_type by;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) += by; }
};

/// x += by, on the device.
template <class View>
void add(device const& exec, View const& x, typename View::non_const_value_type by) {
  Kokkos::parallel_for("add", Kokkos::RangePolicy<device>(exec, 0, static_cast<int>(x.extent(0))), add_to<View>{x, by});
}

template <class View>
struct set_to {
  View x;
  typename View::non_const_value_type value;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = value; }
};

/// x = value, on the device.
template <class View>
void set(device const& exec, View const& x, typename View::non_const_value_type value) {
  Kokkos::parallel_for("set", Kokkos::RangePolicy<device>(exec, 0, static_cast<int>(x.extent(0))),
                       set_to<View>{x, value});
}

/// What lies on the device, without a trace in what regions know.
template <class View>
std::vector<typename View::non_const_value_type> on_device(device const& exec, View const& v) {
  auto const copy = Kokkos::create_mirror(host(), onetrip::device_ro(exec, v));
  exec.fence();
  Kokkos::deep_copy(copy, onetrip::device_ro(exec, v));
  return values_of(copy);
}

/// Transfers and bytes each way.
struct moved {
  onetrip::tally in, back;
  friend bool operator==(moved const&, moved const&) = default;
  friend std::ostream& operator<<(std::ostream& out, moved const& m) {
    return out << "to device: " << m.in << ", to host: " << m.back;
  }
};

/// What moved in `call`: what the recorder saw, which the library's own account must agree with.
template <class F>
moved moved_in(F const& call) {
  onetrip::recorder const rec(onetrip::watch::copies);
  onetrip::ledger::scope const own;
  call();
  moved const seen{rec.transfers(onetrip::to_device), rec.transfers(onetrip::to_host)};
  moved const said{own.transfers(onetrip::to_device), own.transfers(onetrip::to_host)};
  EXPECT_EQ(seen, said) << rec;
  return seen;
}

/// The message of an error of exactly this kind.
template <class Error, class F>
std::string message_of(F const& call) {
  try {
    call();
  } catch (Error const& error) {
    EXPECT_EQ(typeid(error), typeid(Error)) << error.what();
    return error.what();
  }
  return "nothing thrown";
}

} // namespace region_tests
