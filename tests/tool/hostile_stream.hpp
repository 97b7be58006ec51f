// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/ledger/record.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Callbacks that no sane Kokkos would send, chosen by bytes (random ones, or a fuzzer's), and beside them a simple
// model of what a ledger should count.

namespace test_support {

using onetrip::direction;
using onetrip::kind;

/// Where the callbacks go; names may be null.
struct sink {
  virtual ~sink() = default;
  virtual std::uint64_t begin_kernel(unsigned sort, char const* name, std::uint32_t device) = 0;
  virtual void end_kernel(unsigned sort, std::uint64_t id) = 0;
  virtual std::uint64_t begin_fence(char const* name, std::uint32_t device) = 0;
  virtual void end_fence(std::uint64_t id) = 0;
  virtual void push(char const* name) = 0;
  virtual void pop() = 0;
  virtual void allocate(char const* space, char const* label, void const* at, std::uint64_t bytes) = 0;
  virtual void deallocate(char const* space, char const* label, void const* at, std::uint64_t bytes) = 0;
  virtual void begin_copy(char const* to, char const* to_label, void const* to_data, char const* from,
                          char const* from_label, void const* from_data, std::uint64_t bytes) = 0;
  virtual void end_copy() = 0;
};

/// Events and bytes (modulo 2^64) by kind; of transfers and copies by direction too.
using totals = std::map<std::pair<kind, direction>, std::pair<std::uint64_t, std::uint64_t>>;

inline void add(totals& sum, totals const& more) {
  for (auto const& [what, tally] : more) {
    sum[what].first += tally.first;
    sum[what].second += tally.second;
  }
}

class hostile_stream {
public:
  hostile_stream(std::span<std::uint8_t const> choices, sink& to) : m_choices(choices), m_to(to) {}

  /// Sends it; a copy still open at the end is none.
  totals send() {
    while (m_next < m_choices.size())
      step();
    return m_expected;
  }

private:
  struct space {
    char const* name;
    char side; // host, device, shared, '?'
  };
  struct name {
    char const* text;
    kind as_kernel, as_fence;
  };

  static constexpr auto spaces =
      std::to_array<space>({{"Host", 'h'},
                            {"Cuda", 'd'},
                            {"CudaHostPinned", 'h'},
                            {"HIP", 'd'},
                            {"CudaUVM", 's'},
                            {"SYCLSharedUSM", 's'},
                            {"", '?'},
                            {"a \"space\" of\nnext year", '?'},
                            {"\xff\xfe\x80", '?'},
                            {"a space whose name is longer than the sixty-three bytes that Kokkos copies of it", '?'}});
  static constexpr auto names = std::to_array<name>({
      {nullptr, kind::kernel, kind::fence},
      {"", kind::kernel, kind::fence},
      {"u", kind::kernel, kind::fence},
      {"solve/step", kind::kernel, kind::fence},
      {R"("quoted" \ back\)", kind::kernel, kind::fence},
      {"tab\t line\n bell\a del\x7f", kind::kernel, kind::fence},
      {"größer, 大きい, \U0001F600", kind::kernel, kind::fence},
      {"\xc3", kind::kernel, kind::fence},
      {"half \xe2\x82 a sign, \xed\xa0\x80, \xf8\x88\x80\x80\x80", kind::kernel, kind::fence},
      {"</script>%s%n{}[,]", kind::kernel, kind::fence},
      {"Scalar", kind::kernel, kind::fence},
      {"Kokkos::ViewFill-1D", kind::own_kernel, kind::own_fence},
      {"Kokkos::ViewCopy-2D", kind::own_kernel, kind::own_fence},
      {"Kokkos::fence: Unnamed Global Fence", kind::kernel, kind::fence},
      {"Kokkos::Tools::invoke_kokkosp_callback: Kokkos Profile Tool Fence", kind::kernel, kind::tool_fence},
  });

  std::uint8_t byte() { return m_next < m_choices.size() ? m_choices[m_next++] : std::uint8_t{0}; }
  std::size_t below(std::size_t n) { return byte() % n; }

  std::uint64_t wide() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
      value = value << 8 | byte();
    return value;
  }

  std::uint64_t bytes() {
    constexpr auto sizes = std::to_array<std::uint64_t>(
        {0, 1, 8, 128, 4096, 65536, std::uint64_t{1} << 33, ~std::uint64_t{0}, ~std::uint64_t{0} - 127});
    std::size_t const which = below(sizes.size() + 1);
    return which == sizes.size() ? wide() : sizes[which];
  }

  std::uint32_t device() {
    constexpr auto ids = std::to_array<std::uint32_t>({0, 0x01000000, 0x02000000, 0x01000001, 0x02ffffff, 0xffffffff});
    return ids[below(ids.size())];
  }

  /// Real memory, real but other than it seems, and none at all. What lies above 4095 may be allocated.
  void const* address() {
    static std::array<unsigned char, 1 << 17> real{};
    switch (below(6)) {
    case 0: return nullptr;
    case 1: return real.data();
    case 2: return real.data() + 256 * below(256);
    case 3: return at(4096 * (1 + below(16)));
    case 4: return at(~std::uintptr_t{0} - below(256));
    default: return at(4096 + wide() % (~std::uintptr_t{0} - 4096));
    }
  }

  // NOLINTNEXTLINE(performance-no-int-to-ptr): only compared, or found to be unreadable
  static void const* at(std::uintptr_t address) { return reinterpret_cast<void const*>(address); }

  void expect(kind what, std::uint64_t bytes = 0, direction where = direction::none) {
    auto& [count, sum] = m_expected[{what, where}];
    ++count;
    sum += bytes;
  }

  /// An open copy that will never end.
  void fail_copy() {
    if (std::exchange(m_is_open, false))
      expect(kind::failed_copy);
  }

  static direction way(char from, char to) {
    if (from == 'h' && to == 'd')
      return direction::to_device;
    if (from == 'd' && to == 'h')
      return direction::to_host;
    if (from == 'h' && to == 'h')
      return direction::within_host;
    return from == 'd' && to == 'd' ? direction::within_device : direction::unknown;
  }

  void begin_copy() {
    fail_copy();
    space const to = spaces[below(spaces.size())], from = spaces[below(spaces.size())];
    name const label = names[below(names.size())], source = names[below(names.size())];
    bool const is_scalar = source.text != nullptr && std::string(source.text) == "Scalar";
    void const* const to_data = address();
    // No allocation holds a scalar.
    void const* const from_data = is_scalar ? at(16) : below(8) == 0 ? to_data : address();
    std::uint64_t const size = bytes();
    m_to.begin_copy(to.name, label.text, to_data, from.name, source.text, from_data, size);
    m_is_open = true;
    m_is_repeatable = false;
    m_open_bytes = size;
    m_open_where = way(from.side, to.side);
    bool const same_sides = from.side == to.side;
    bool const same_spaces = std::string(from.name) == to.name;
    if (to_data == nullptr || from_data == nullptr || size == 0) {
      m_open = kind::empty_copy;
      m_open_bytes = size; // as asked
    } else if (to_data == from_data) {
      m_open = kind::alias;
    } else if (from.side == 'h' && is_scalar) {
      m_open = kind::fill;
    } else if (!same_sides || (m_open_where == direction::unknown && !same_spaces)) {
      m_open = kind::transfer;
    } else {
      m_open = kind::copy;
    }
  }

  void end_copy() {
    m_to.end_copy();
    bool const has_way = m_open == kind::transfer || m_open == kind::copy;
    if (std::exchange(m_is_open, false))
      expect(m_open, m_open_bytes, has_way ? m_open_where : direction::none);
  }

  void begin_fence() {
    name const label = names[below(names.size())];
    std::uint32_t const on = device();
    std::uint64_t const id = m_to.begin_fence(label.text, on);
    m_fences.push_back(id);
    // Kokkos::fence reports itself once for each backend.
    auto const is_global = [](std::uint32_t d) { return d % (1 << 17) == 0; };
    std::string const text = label.text == nullptr ? "" : label.text;
    if (m_is_repeatable && text == m_fence && is_global(on) && is_global(m_fence_device) &&
        on >> 24 != m_fence_device >> 24)
      return;
    m_is_repeatable = true;
    m_fence = text;
    m_fence_device = on;
    expect(label.as_fence);
  }

  /// One that is open, one that has ended already, or one that never was.
  std::uint64_t some(std::vector<std::uint64_t>& open) {
    if (open.empty() || below(8) == 0)
      return wide();
    std::size_t const which = below(open.size());
    std::uint64_t const id = open[which];
    if (below(8) != 0)
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
    return id;
  }

  void step() {
    switch (below(16)) {
    case 0:
    case 1:
    case 2: return begin_copy();
    case 3:
    case 4:
    case 5: return end_copy();
    case 6:
    case 7: {
      name const label = names[below(names.size())];
      m_kernels.push_back(m_to.begin_kernel(static_cast<unsigned>(below(3)), label.text, device()));
      m_is_repeatable = false;
      return expect(label.as_kernel);
    }
    case 8: return m_to.end_kernel(static_cast<unsigned>(below(3)), some(m_kernels));
    case 9:
    case 10: return begin_fence();
    case 11: return m_to.end_fence(some(m_fences));
    case 12: fail_copy(); return m_to.push(names[below(names.size())].text);
    case 13: fail_copy(); return m_to.pop();
    case 14: {
      std::uint64_t const size = bytes();
      m_to.allocate(spaces[below(spaces.size())].name, names[below(names.size())].text, address(), size);
      m_is_repeatable = false;
      return expect(kind::allocation, size);
    }
    case 15: {
      std::uint64_t const size = bytes();
      m_to.deallocate(spaces[below(spaces.size())].name, names[below(names.size())].text, address(), size);
      m_is_repeatable = false;
      return expect(kind::deallocation, size);
    }
    }
  }

  std::span<std::uint8_t const> m_choices;
  std::size_t m_next = 0;
  sink& m_to;
  totals m_expected;
  bool m_is_open = false;
  kind m_open{};
  direction m_open_where{};
  std::uint64_t m_open_bytes = 0;
  std::vector<std::uint64_t> m_kernels, m_fences;
  bool m_is_repeatable = false; ///< the last record is a fence
  std::string m_fence;
  std::uint32_t m_fence_device = 0;
};

} // namespace test_support
