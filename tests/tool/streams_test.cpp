// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The tool as Kokkos loads it, on hostile streams: it must never crash, and what it writes must be right. Each stream
// has a process of its own, since the tool is one for a process.

#include <impl/Kokkos_Profiling_C_Interface.h>

#include <onetrip/ledger/account.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <csignal>
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile_stream.hpp"

namespace {

using nlohmann::json;
using onetrip::direction;
using onetrip::kind;
using test_support::add;
using test_support::hostile_stream;
using test_support::totals;

Kokkos_Profiling_SpaceHandle handle(char const* name) {
  Kokkos_Profiling_SpaceHandle made;
  std::memset(made.name, 'x', sizeof made.name); // Kokkos leaves the last byte as it was
  std::strncpy(made.name, name, sizeof made.name - 1);
  return made;
}

/// libonetrip_ledger.so, in this process.
class tool final : public test_support::sink {
public:
  void init() { call<Kokkos_Profiling_initFunction>("init_library", 0, 20240906, 0, nullptr); }
  void finalize() { call<Kokkos_Profiling_finalizeFunction>("finalize_library"); }

  std::uint64_t begin_kernel(unsigned sort, char const* name, std::uint32_t device) override {
    std::uint64_t id = 0;
    m_begin_kernel[sort](name, device, &id);
    return id;
  }
  void end_kernel(unsigned sort, std::uint64_t id) override { m_end_kernel[sort](id); }
  std::uint64_t begin_fence(char const* name, std::uint32_t device) override {
    std::uint64_t id = 0;
    m_begin_fence(name, device, &id);
    return id;
  }
  void end_fence(std::uint64_t id) override { m_end_fence(id); }
  void push(char const* name) override { m_push(name); }
  void pop() override { m_pop(); }
  void allocate(char const* space, char const* label, void const* at, std::uint64_t bytes) override {
    m_allocate(handle(space), label, at, bytes);
  }
  void deallocate(char const* space, char const* label, void const* at, std::uint64_t bytes) override {
    m_deallocate(handle(space), label, at, bytes);
  }
  void begin_copy(char const* to, char const* to_label, void const* to_data, char const* from, char const* from_label,
                  void const* from_data, std::uint64_t bytes) override {
    m_begin_copy(handle(to), to_label, to_data, handle(from), from_label, from_data, bytes);
  }
  void end_copy() override { m_end_copy(); }

private:
  template <class Function>
  Function find(std::string const& name) {
    void* const symbol = m_library == nullptr ? nullptr : dlsym(m_library, ("kokkosp_" + name).c_str());
    if (symbol == nullptr) {
      std::cerr << "no " << name << ": " << dlerror() << '\n';
      std::_Exit(3);
    }
    return reinterpret_cast<Function>(symbol);
  }
  template <class Function, class... Arguments>
  void call(char const* name, Arguments... arguments) {
    find<Function>(name)(arguments...);
  }

  using begin = Kokkos_Profiling_beginFunction;
  using end = Kokkos_Profiling_endFunction;
  void* m_library = dlopen(ONETRIP_LEDGER_LIBRARY, RTLD_NOW);
  begin m_begin_kernel[3] = {find<begin>("begin_parallel_for"), find<begin>("begin_parallel_reduce"),
                             find<begin>("begin_parallel_scan")};
  end m_end_kernel[3] = {find<end>("end_parallel_for"), find<end>("end_parallel_reduce"),
                         find<end>("end_parallel_scan")};
  Kokkos_Profiling_beginFenceFunction m_begin_fence = find<Kokkos_Profiling_beginFenceFunction>("begin_fence");
  Kokkos_Profiling_endFenceFunction m_end_fence = find<Kokkos_Profiling_endFenceFunction>("end_fence");
  Kokkos_Profiling_pushFunction m_push = find<Kokkos_Profiling_pushFunction>("push_profile_region");
  Kokkos_Profiling_popFunction m_pop = find<Kokkos_Profiling_popFunction>("pop_profile_region");
  Kokkos_Profiling_allocateDataFunction m_allocate = find<Kokkos_Profiling_allocateDataFunction>("allocate_data");
  Kokkos_Profiling_deallocateDataFunction m_deallocate =
      find<Kokkos_Profiling_deallocateDataFunction>("deallocate_data");
  Kokkos_Profiling_beginDeepCopyFunction m_begin_copy = find<Kokkos_Profiling_beginDeepCopyFunction>("begin_deep_copy");
  Kokkos_Profiling_endDeepCopyFunction m_end_copy = find<Kokkos_Profiling_endDeepCopyFunction>("end_deep_copy");
};

/// A process under the tool and what it wrote.
struct run {
  std::filesystem::path folder;
  int status = -1;
  std::vector<json> lines;

  explicit run(std::function<void(tool&)> const& program, std::string const& more = "") {
    std::string name = (std::filesystem::temp_directory_path() / "onetrip-streams-XXXXXX").string();
    folder = mkdtemp(name.data());
    pid_t const child = fork();
    if (child == 0) {
      std::string const at = folder.string();
      setenv("ONETRIP_LEDGER",
             ("json=" + at + "/json,trace=" + at + "/trace,summary=" + at + "/summary" + more).c_str(), 1);
      tool under_test;
      program(under_test);
      std::exit(0);
    }
    waitpid(child, &status, 0);
    std::ifstream in(folder / "json");
    for (std::string line; std::getline(in, line);) {
      json one = json::parse(line, nullptr, false);
      // Only a process that was killed may leave half a line, its last.
      EXPECT_TRUE(!one.is_discarded() || (WIFSIGNALED(status) && in.peek() == EOF)) << line;
      if (!one.is_discarded())
        lines.push_back(std::move(one));
    }
  }
  ~run() { std::filesystem::remove_all(folder); }
  run(run const&) = delete;
  run& operator=(run const&) = delete;

  std::vector<json> of_type(char const* type) const {
    std::vector<json> found;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(found),
                 [&](json const& line) { return line.at("type") == type; });
    return found;
  }

  std::string text(char const* file) const {
    std::ostringstream all;
    all << std::ifstream(folder / file).rdbuf();
    return all.str();
  }

  totals counted() const {
    std::map<int, json> rows, counts;
    for (json const& line : of_type("row"))
      EXPECT_TRUE(rows.emplace(line.at("row"), line).second) << line;
    for (json const& line : of_type("counts"))
      for (json const& row : line.at("rows")) {
        EXPECT_TRUE(rows.contains(row.at(0))) << "counted before it was named: " << row;
        counts[row.at(0)] = row;
      }
    totals sum;
    for (auto const& [number, row] : counts) {
      kind what{};
      while (to_string(what) != rows[number].at("kind").get<std::string>() && what < kind::deallocation)
        what = static_cast<kind>(static_cast<int>(what) + 1);
      direction where = direction::none;
      if (what == kind::transfer || what == kind::copy)
        while (to_string(where) != rows[number].at("direction").get<std::string>() && where < direction::unknown)
          where = static_cast<direction>(static_cast<int>(where) + 1);
      auto& [count, bytes] = sum[{what, where}];
      count += row.at(1).get<std::uint64_t>();
      bytes += row.at(2).get<std::uint64_t>();
    }
    return sum;
  }

  void expect_whole(totals const& expected, std::string const& where) const {
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << ' ' << where;
    ASSERT_FALSE(lines.empty()) << where;
    EXPECT_EQ(lines.front().at("type"), "start") << where;
    EXPECT_EQ(lines.back().at("type"), "end") << where;
    totals const seen = counted();
    for (totals const* side : {&seen, &expected})
      for (auto const& [what, ignored] : *side) {
        auto const find = [&key = what](totals const& in) {
          auto const found = in.find(key);
          return found == in.end() ? totals::mapped_type{} : found->second;
        };
        EXPECT_EQ(find(seen), find(expected)) << to_string(what.first) << ' ' << to_string(what.second) << ' ' << where;
      }
    EXPECT_FALSE(json::parse(text("trace"), nullptr, false).is_discarded()) << where;
    EXPECT_NE(text("summary"), "") << where;
  }
};

std::vector<std::uint8_t> random_bytes(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(count);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::uint8_t>(random()); });
  return bytes;
}

totals send(tool& to, unsigned seed, std::size_t bytes) {
  auto const choices = random_bytes(seed, bytes);
  return hostile_stream(choices, to).send();
}

/// What the model expects, without a tool.
totals expected_of(unsigned seed, std::size_t bytes) {
  struct : test_support::sink {
    std::uint64_t begin_kernel(unsigned, char const*, std::uint32_t) override { return 0; }
    void end_kernel(unsigned, std::uint64_t) override {}
    std::uint64_t begin_fence(char const*, std::uint32_t) override { return 0; }
    void end_fence(std::uint64_t) override {}
    void push(char const*) override {}
    void pop() override {}
    void allocate(char const*, char const*, void const*, std::uint64_t) override {}
    void deallocate(char const*, char const*, void const*, std::uint64_t) override {}
    void begin_copy(char const*, char const*, void const*, char const*, char const*, void const*,
                    std::uint64_t) override {}
    void end_copy() override {}
  } none;
  auto const choices = random_bytes(seed, bytes);
  return hostile_stream(choices, none).send();
}

TEST(streams, of_one_thread_are_counted_as_the_model_does) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::size_t const bytes = 1 + 150 * seed;
    char const* const more[] = {"", ",contents=full", ",contents=none,time=fenced"};
    run const seen(
        [&](tool& to) {
          to.init();
          send(to, seed, bytes);
          to.finalize();
        },
        more[seed % 3]);
    seen.expect_whole(expected_of(seed, bytes), "seed " + std::to_string(seed));
  }
}

TEST(streams, with_stand_ins_of_any_size_do_no_harm) {
  for (unsigned seed = 100; seed < 110; ++seed) {
    run const seen(
        [&](tool& to) {
          to.init();
          send(to, seed, 5000);
          to.finalize();
        },
        ",device=*,contents=full");
    EXPECT_TRUE(WIFEXITED(seen.status) && WEXITSTATUS(seen.status) == 0) << seed;
    EXPECT_FALSE(seen.of_type("end").empty()) << seed;
  }
}

TEST(streams, of_threads_are_counted_as_the_models_do) {
  constexpr unsigned threads = 4;
  constexpr std::size_t bytes = 20'000;
  run const seen([](tool& to) {
    to.init();
    {
      std::vector<std::jthread> senders;
      for (unsigned t = 0; t < threads; ++t)
        senders.emplace_back([&to, t] { send(to, 200 + t, bytes); });
    }
    to.finalize();
  });
  totals expected;
  for (unsigned t = 0; t < threads; ++t)
    add(expected, expected_of(200 + t, bytes));
  seen.expect_whole(expected, "threads");
}

TEST(streams, count_before_init_and_not_after_finalize) {
  run const seen([](tool& to) {
    send(to, 1, 2000);
    to.init();
    to.init();
    to.finalize();
    send(to, 2, 2000);
    to.finalize();
    to.init();
  });
  seen.expect_whole(expected_of(1, 2000), "outside");
  EXPECT_EQ(seen.lines.back().at("finalized"), true);
}

TEST(streams, without_finalize_are_reported_at_exit) {
  run const seen([](tool& to) { send(to, 3, 2000); });
  seen.expect_whole(expected_of(3, 2000), "no finalize");
  EXPECT_EQ(seen.lines.back().at("finalized"), false);
}

TEST(streams, of_a_forked_child_are_none_of_its_parents) {
  run const seen([](tool& to) {
    to.init();
    std::atomic<bool> is_done = false;
    std::jthread other([&] { // so that locks are held while the fork comes
      send(to, 4, 2000);
      while (!is_done)
        to.end_kernel(0, ~std::uint64_t{0});
    });
    for (unsigned i = 0; i < 20; ++i) {
      pid_t const child = fork();
      if (child == 0) {
        send(to, i, 500);
        to.finalize();
        std::_Exit(0);
      }
      waitpid(child, nullptr, 0);
    }
    pid_t const child = fork();
    if (child == 0) {
      other.detach(); // there is none here
      std::exit(0);
    }
    waitpid(child, nullptr, 0);
    is_done = true;
    other.join();
    to.finalize();
  });
  seen.expect_whole(expected_of(4, 2000), "fork");
}

TEST(streams, are_on_the_disk_when_the_program_is_killed) {
  run const seen([](tool& to) {
    send(to, 5, 2000);
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(seen.status));
  EXPECT_TRUE(seen.of_type("end").empty());
  EXPECT_EQ(seen.counted(), expected_of(5, 2000));
}

TEST(streams, whose_regions_are_never_popped_take_bounded_memory) {
  run const seen([](tool& to) {
    for (int i = 0; i < 5'000; ++i) {
      to.push("a forgotten pop");
      to.begin_kernel(0, "k", 0);
    }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (used.ru_maxrss > 100'000) // kB
      std::_Exit(4);
#endif
    for (int i = 0; i < 5'000; ++i)
      to.pop();
    to.begin_kernel(0, "k", 0);
    to.finalize();
  });
  seen.expect_whole({{{kind::kernel, direction::none}, {5'001, 0}}}, "deep");
  for (json const& row : seen.of_type("row"))
    EXPECT_LT(row.at("region").get<std::string>().size(), 10'000u);
}

} // namespace
