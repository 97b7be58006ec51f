// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "region/arrays.hpp"
#include "region/model.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Random programs against the model: after each call the values on both sides, the transfers and their bytes are the
// model's, and the library's own account and the recorder's agree.

namespace {

using namespace region_tests;
using part_view = Kokkos::View<int*, Kokkos::LayoutStride, host, Kokkos::MemoryUnmanaged>;

#if defined(ONETRIP_ADDRESS_SANITIZER) || !defined(KOKKOS_ENABLE_OPENMP)
constexpr unsigned programs = 60;
#elif defined(KOKKOS_ENABLE_CUDA) // each allocation and copy waits for the device
constexpr unsigned programs = 500;
#else
constexpr unsigned programs = 4000;
#endif
constexpr int calls = 40;

/// A region with one clause or two, and what the model has to know of it.
struct open_region {
  struct hold {
    std::size_t block;
    bool sends_back;
  };
  std::unique_ptr<onetrip::region<device, 1>> one;
  std::unique_ptr<onetrip::region<device, 2>> two;
  std::vector<hold> holds;

  void close() const { one ? one->close() : two->close(); }
  void unwind() {
    auto const fails = [&] {
      open_region const ends(std::move(*this));
      throw std::runtime_error("halfway");
    };
    EXPECT_THROW(fails(), std::runtime_error);
  }
};

class program {
public:
  explicit program(unsigned seed) : m_random(seed) {
    for (int k = 0; k < 5; ++k)
      add_array();
  }

  void run() {
    for (int call = 0; call < calls; ++call)
      check([&] { one_call(); });
    while (!m_regions.empty())
      check([&] { end_region(); });
    for (std::size_t b = 0; b < m_model.blocks.size(); ++b)
      check([&] { exit(b, onetrip::finalize); });
    for (model::block const& b : m_model.blocks)
      EXPECT_FALSE(b.device);
  }

private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(m_random); }
  bool coin() { return below(2) == 0; }
  std::size_t any_block() { return m_handles[below(m_handles.size())]; }

  void add_array() {
    std::size_t const sizes[] = {0, 1, 2, 3, 3, 4, 4, 7};
    array<int> const made = count_up("array", static_cast<int>(sizes[below(8)]));
    m_handles.push_back(m_arrays.size());
    m_arrays.push_back(made);
    m_model.blocks.push_back({values_of(made), {}});
  }

  template <class F>
  void check(F const& call) {
    m_model.seen = {};
    m_log.clear();
    moved const did = moved_in(call);
    EXPECT_EQ(did, m_model.seen) << m_log;
    for (std::size_t b = 0; b < m_arrays.size(); ++b) {
      EXPECT_EQ(values_of(m_arrays[b]), m_model.blocks[b].host) << m_log << ", block " << b;
      EXPECT_EQ(peek(b), m_model.blocks[b].device ? m_model.blocks[b].device->values : std::vector<int>()) << m_log;
    }
  }

  /// What lies on the device, past everything that regions know.
  std::vector<int> peek(std::size_t b) {
    auto& table = onetrip::detail::residency<device>::table();
    onetrip::detail::entry const* const e =
        m_arrays[b].extent(0) == 0 ? nullptr : table.find({"peek", m_arrays[b], std::source_location::current()});
    if (e == nullptr)
      return {};
    EXPECT_EQ(e->structured, m_model.blocks[b].device->structured) << m_log;
    EXPECT_EQ(e->dynamic, m_model.blocks[b].device->dynamic) << m_log;
    Kokkos::View<int*, device, Kokkos::MemoryUnmanaged> const there(reinterpret_cast<int*>(e->device),
                                                                    m_arrays[b].size());
    array<int> const here(Kokkos::view_alloc("here", Kokkos::WithoutInitializing), m_arrays[b].size());
    Kokkos::deep_copy(here, there);
    return values_of(here);
  }

  /// One of the region's clauses, by a number.
  template <class F>
  void with_clause(std::size_t which, array<int> const& v, F const& f) {
    switch (which) {
    case 0: return f(onetrip::copy(v), true, true, true, false);
    case 1: return f(onetrip::copyin(v), true, false, true, false);
    case 2: return f(onetrip::copyout(v), false, true, true, false);
    case 3: return f(onetrip::create(v), false, false, true, false);
    case 4: return f(onetrip::always(onetrip::copy(v)), true, true, true, true);
    case 5: return f(onetrip::always(onetrip::copyout(v)), false, true, true, true);
    default: return f(onetrip::if_present(v), false, false, false, false);
    }
  }

  void begin_region() {
    open_region made;
    auto const hold = [&](std::size_t b, bool in, bool out, bool creates, bool always) {
      bool const was_there = m_model.blocks[b].device.has_value();
      if (m_model.open(m_model.blocks[b], in, out, creates, always)) {
        ++m_model.blocks[b].device->structured;
        made.holds.push_back({b, was_there && always && out});
      }
    };
    std::size_t const a = any_block(), b = any_block();
    with_clause(below(7), m_arrays[a], [&](auto const& first, auto... how) {
      hold(a, how...);
      if (coin()) {
        made.one = std::make_unique<onetrip::region<device, 1>>(m_exec, first);
      } else {
        hold(b, true, true, true, false);
        made.two = std::make_unique<onetrip::region<device, 2>>(m_exec, first, onetrip::copy(m_arrays[b]));
      }
    });
    m_regions.push_back(std::move(made));
  }

  void end_region() {
    if (m_regions.empty())
      return;
    std::size_t const which = below(m_regions.size());
    open_region ends = std::move(m_regions[which]);
    m_regions.erase(m_regions.begin() + static_cast<std::ptrdiff_t>(which));
    bool const unwinds = below(4) == 0;
    m_log += unwinds ? " unwinds" : " closes";
    auto const holds = ends.holds;
    unwinds ? ends.unwind() : ends.close();
    for (auto const& h : holds) // two of the same block: only the last one ends it
      m_model.close(m_model.blocks[h.block], h.sends_back, unwinds);
  }

  template <class... Finalize>
  void exit(std::size_t b, Finalize... all) {
    bool const copies = coin();
    auto const call = [&] {
      copies ? onetrip::exit_data(m_exec, all..., onetrip::copyout(m_arrays[b]))
             : onetrip::exit_data(m_exec, all..., onetrip::release(m_arrays[b]));
    };
    if (m_model.exit(m_model.blocks[b], copies, sizeof...(all) > 0))
      call();
    else
      EXPECT_THROW(call(), onetrip::error) << m_log;
  }

  void enter() {
    std::size_t const b = any_block();
    bool const in = coin();
    if (m_model.open(m_model.blocks[b], in, false, true, false))
      ++m_model.blocks[b].device->dynamic;
    in ? onetrip::enter_data(m_exec, onetrip::copyin(m_arrays[b]))
       : onetrip::enter_data(m_exec, onetrip::create(m_arrays[b]));
  }

  void update(std::size_t b) {
    if (!m_model.blocks[b].device) {
      EXPECT_EQ(onetrip::is_present(m_exec, m_arrays[b]), m_arrays[b].extent(0) == 0);
      return;
    }
    std::size_t const n = m_arrays[b].size(), first = below(n), step = 1 + below(3);
    model::part const p{first, 1 + below((n - first + step - 1) / step), step};
    part_view const v(m_arrays[b].data() + first, Kokkos::LayoutStride(p.count, step));
    bool const down = coin();
    down ? m_model.to_host(m_model.blocks[b], p) : m_model.to_device(m_model.blocks[b], p);
    down ? onetrip::update_host(m_exec, v) : onetrip::update_device(m_exec, v);
  }

  /// A kernel, or a write on the host.
  void use(std::size_t b) {
    model::block& m = m_model.blocks[b];
    array<int> const& v = m_arrays[b];
    auto const both = [&](auto const& d) {
      add(m_exec, d, 10);
      m_exec.fence();
      for (int& x : m.device->values)
        x += 10;
    };
    switch (below(5)) {
    case 0: m_model.use_on_device(m, true, true); return both(onetrip::device(m_exec, v));
    case 1: m_model.use_on_device(m, true, false); return both(onetrip::device_rw(m_exec, v));
    case 2: m_model.use_on_device(m, false, false); return (void)onetrip::device_ro(m_exec, v);
    case 3: m_model.use_on_host(m, false); return (void)onetrip::host_ro(m_exec, v);
    default: m_model.use_on_host(m, true); onetrip::host_rw(m_exec, v)(0) = m.host[0] = static_cast<int>(below(100));
    }
  }

  void swap() {
    std::size_t const j = below(m_handles.size()), k = below(m_handles.size());
    if (j == k)
      return;
    std::size_t const a = m_handles[j], b = m_handles[k];
    array<int> u = m_arrays[a], v = m_arrays[b];
    bool const there = m_model.blocks[a].device.has_value(), other = m_model.blocks[b].device.has_value();
    if (there != other) {
      EXPECT_THROW(onetrip::swap(m_exec, u, v), onetrip::not_present);
    } else if (!there) {
      onetrip::swap(m_exec, u, v);
      EXPECT_EQ(u.data(), m_arrays[b].data());
      std::swap(m_handles[j], m_handles[k]);
    } else if (u.size() != v.size()) {
      EXPECT_THROW(onetrip::swap(m_exec, u, v), onetrip::shape_error);
    } else {
      m_model.swap(m_model.blocks[a], m_model.blocks[b]);
      onetrip::swap(m_exec, u, v);
    }
  }

  void one_call() {
    std::size_t const what = below(10), b = any_block();
    m_log = "call " + std::to_string(what) + " on block " + std::to_string(b);
    bool const there = m_model.blocks[b].device.has_value();
    switch (what) {
    case 0:
    case 1: return begin_region();
    case 2: return end_region();
    case 3: return enter();
    case 4: return exit(b);
    case 5: return swap();
    case 6: // a resize: another array behind the handle
      if (m_arrays.size() < 12) {
        add_array();
        m_handles[below(m_handles.size() - 1)] = m_handles.back();
        m_handles.pop_back();
      }
      return;
    case 7: return update(b);
    default: return there ? use(b) : write_on_host(b);
    }
  }

  void write_on_host(std::size_t b) {
    for (std::size_t i = 0; i < m_arrays[b].size(); ++i)
      m_arrays[b](i) = m_model.blocks[b].host[i] = static_cast<int>(below(100));
  }

  std::mt19937 m_random;
  device m_exec;
  std::vector<array<int>> m_arrays; // by block
  std::vector<std::size_t> m_handles;
  std::vector<open_region> m_regions;
  model m_model;
  std::string m_log;
};

TEST_F(distinct, random_programs_do_what_the_model_does) {
  for (unsigned seed = 0; seed < programs && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    program(seed).run();
  }
}

} // namespace
