// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/tool/ledger.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A program as Kokkos would report it to the tool, without Kokkos.

namespace onetrip::tool::testing {

struct array {
  std::string space;
  std::string label;
  std::vector<double> memory; // 16 of the header
  double* data() { return memory.data() + 16; }
  std::size_t size() const { return memory.size() - 16; }
  double& operator[](std::size_t i) { return data()[i]; }
};

inline settings quiet(contents how, std::vector<std::string> device) {
  settings chosen;
  chosen.summary = "none";
  chosen.hashes = how;
  chosen.device = std::move(device);
  return chosen;
}

class program {
public:
  static constexpr std::uint32_t cuda = 0x02000001;

  explicit program(contents how = contents::sampled, std::vector<std::string> device = {})
      : account(quiet(how, std::move(device)), {}, 0) {}

  array make(std::string space, std::string label, std::size_t size, bool initialised = false) {
    array a{std::move(space), std::move(label), std::vector<double>(size + 16)};
    account.allocate(a.space, a.label, a.memory.data(), size * sizeof(double));
    if (initialised)
      kernel("Kokkos::View::initialization [" + a.label + "] via memset");
    return a;
  }
  array device(std::string label, std::size_t size = 64) { return make("Cuda", std::move(label), size); }
  array host(std::string label, std::size_t size = 64) {
    array a = make("Host", std::move(label), size);
    for (std::size_t i = 0; i < size; ++i)
      a[i] = static_cast<double>(i + 1);
    return a;
  }
  void free(array& a) { account.deallocate(a.space, a.label, a.memory.data(), a.size() * sizeof(double)); }

  void kernel(std::string_view label, std::uint32_t on = cuda) { account.end_kernel(account.begin_kernel(label, on)); }
  void fence(std::string_view label = "fence") { account.end_fence(account.begin_fence(label, cuda)); }

  /// Part of an array: `count` from `begin` on.
  void copy(array& to, array& from, std::size_t begin, std::size_t count, bool waits = true) {
    account.begin_copy({to.space, to.label, to.data() + begin}, {from.space, from.label, from.data() + begin},
                       count * sizeof(double));
    if (waits)
      fence("Kokkos::deep_copy: copy between contiguous views, pre copy fence");
    std::memmove(to.data() + begin, from.data() + begin, count * sizeof(double));
    if (waits)
      fence("Kokkos::deep_copy: copy between contiguous views, post copy fence");
    account.end_copy();
  }
  void copy(array& to, array& from, bool waits = true) { copy(to, from, 0, to.size(), waits); }

  void fill(array& to, double value) {
    account.begin_copy({to.space, to.label, to.data()}, {"Host", "Scalar", &value}, to.size() * sizeof(double));
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = value;
    account.end_copy();
  }

  /// A kernel that adds 1 to an array.
  void compute(array& on) {
    kernel("compute");
    for (std::size_t i = 0; i < on.size(); ++i)
      on[i] += 1;
  }

  /// "DM01 PROVEN 1/512, DM04 ...": with what is saved.
  std::string found() {
    std::string all;
    for (finding const& f : account.found()) {
      all += all.empty() ? "" : ", ";
      all += std::string(f.id) + ' ' + std::string(to_string(f.how)) + ' ' + std::to_string(f.count_saved) + '/' +
             std::to_string(f.bytes_saved);
    }
    return all;
  }

  ledger account;
};

} // namespace onetrip::tool::testing
