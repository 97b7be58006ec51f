// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The tool's inside under libFuzzer: the bytes choose the callbacks and the settings.

#include <onetrip/tool/ledger.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hostile_stream.hpp"

namespace {

std::string_view text(char const* name) { return name == nullptr ? std::string_view{} : name; }

struct ledger_sink final : test_support::sink {
  explicit ledger_sink(onetrip::tool::settings chosen) : to(std::move(chosen), {}, 0) {}

  std::uint64_t begin_kernel(unsigned, char const* name, std::uint32_t device) override {
    return to.begin_kernel(text(name), device);
  }
  void end_kernel(unsigned, std::uint64_t id) override { to.end_kernel(id); }
  std::uint64_t begin_fence(char const* name, std::uint32_t device) override {
    return to.begin_fence(text(name), device);
  }
  void end_fence(std::uint64_t id) override { to.end_fence(id); }
  void push(char const* name) override { to.push_region(text(name)); }
  void pop() override { to.pop_region(); }
  void allocate(char const* space, char const* label, void const* at, std::uint64_t bytes) override {
    to.allocate(text(space), text(label), at, bytes);
  }
  void deallocate(char const* space, char const* label, void const* at, std::uint64_t bytes) override {
    to.deallocate(text(space), text(label), at, bytes);
  }
  void begin_copy(char const* to_space, char const* label, void const* data, char const* from_space,
                  char const* from_label, void const* from_data, std::uint64_t bytes) override {
    to.begin_copy({text(to_space), text(label), data}, {text(from_space), text(from_label), from_data}, bytes);
  }
  void end_copy() override { to.end_copy(); }

  onetrip::tool::ledger to;
};

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size == 0)
    return 0;
  // Up to the first zero, words for the settings; their files are ours to choose.
  std::string_view const all(reinterpret_cast<char const*>(data), size);
  std::size_t const words = std::min(all.find('\0'), size);
  onetrip::tool::settings chosen;
  onetrip::tool::read_settings(all.substr(0, words), chosen);
  chosen.json = chosen.json.empty() ? "" : "/dev/null";
  chosen.trace = chosen.trace.empty() ? "" : "/dev/null";
  chosen.summary = chosen.summary == "none" ? "none" : "/dev/null";
  ledger_sink sink(std::move(chosen));
  test_support::hostile_stream(std::span(data, size).subspan(words), sink).send();
  sink.to.finish(true);
  return 0;
}
