// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/suite.hpp"

#include <common/program.hpp>

#include <benchmark/benchmark.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// A row that tells `log` what is called, and whose answer is `error` off, or wrong.
bench::row row_of(std::string const& case_name, std::string const& variant, std::string& log, double error) {
  std::string const who = case_name + "/" + variant;
  auto const says = [&log, who](std::string const& what) { log += who + " " + what + "\n"; };
  bench::row r;
  r.case_name = case_name;
  r.variant = variant;
  r.bytes_read = 800;
  r.bytes_written = 100;
  r.prepare = [says] { says("prepare"); };
  r.count = [says]() -> bench::counters {
    says("count");
    return {{"kernels", 7}};
  };
  r.run = [says] { says("run"); };
  r.check = [says, error, who] {
    says("check");
    return error < 1 ? error : throw apps::wrong_answer(who + ": wrong answer");
  };
  r.how = bench::sampling::once;
  r.rates = [](double) -> bench::counters { return {{"steps", 11}}; };
  return r;
}

/// Runs the rows that `filter` matches, and returns their JSON.
std::string run(std::string const& filter) {
  std::ostringstream out;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&out);
  EXPECT_EQ(benchmark::RunSpecifiedBenchmarks(&reporter, filter), 1u);
  return out.str();
}

class bench_suite : public testing::Test {
protected:
  ~bench_suite() override { benchmark::ClearRegisteredBenchmarks(); }

  void add(std::size_t size) {
    auto const make = [this] {
      ++m_made;
      return std::vector<bench::row>{row_of("copy", "copy", m_log, 0), row_of("sum", "raw", m_log, 0),
                                     row_of("sum", "good", m_log, 0.25), row_of("sum", "bad", m_log, 1)};
    };
    m_rows.add("double", size, make(), make);
    m_made = 0;
  }

  std::string m_log;
  int m_made = 0;
  bench::suite m_rows{"program", true};
};

TEST_F(bench_suite, SetsEachRepetitionBesideRawAndCopy) {
  add(10);
  std::string const json = run("program/sum/good/");
  EXPECT_EQ(m_log, "sum/raw prepare\nsum/raw count\ncopy/copy prepare\ncopy/copy count\nsum/good prepare\n"
                   "sum/good count\nsum/raw run\ncopy/copy run\nsum/good prepare\nsum/good run\nsum/good check\n");
  EXPECT_THAT(json, testing::HasSubstr("\"name\": \"program/sum/good/double/10/iterations:1/manual_time\""));
  for (char const* const member :
       {"\"kernels\": 7.0", "\"steps\": 1.1", "\"bytes_read\": 8.0", "\"bytes_written\": 1.0", "\"max_error\": 2.5",
        "\"gb_per_s\": ", "\"share_of_raw\": ", "\"share_of_copy\": "})
    EXPECT_THAT(json, testing::HasSubstr(member));
  EXPECT_EQ(m_rows.failure(), std::nullopt);
}

TEST_F(bench_suite, FailsTheRowOfAWrongAnswer) {
  add(10);
  std::string const json = run("program/sum/bad/");
  EXPECT_THAT(json, testing::HasSubstr("\"error_occurred\": true"));
  EXPECT_THAT(json, testing::HasSubstr("\"error_message\": \"sum/bad: wrong answer\""));
  EXPECT_EQ(m_rows.failure(), "sum/bad: wrong answer");
}

TEST_F(bench_suite, SetsBesideWhatIsNoRow) {
  auto const make = [this] {
    return std::vector<bench::row>{row_of("sum", "good", m_log, 0), row_of("copy", "copy", m_log, 0)};
  };
  m_rows.add("double", 10, {row_of("sum", "good", m_log, 0)}, make);
  EXPECT_THAT(run("."), testing::HasSubstr("program/sum/good/"));
  EXPECT_THAT(m_log, testing::HasSubstr("copy/copy run\n"));
}

TEST_F(bench_suite, HasTheArraysOfOneSizeAtATime) {
  add(10);
  add(20);
  for (char const* const name : {"good/double/10", "raw/double/10", "good/double/20"})
    run("program/sum/" + std::string(name));
  EXPECT_EQ(m_made, 2);
}

} // namespace
