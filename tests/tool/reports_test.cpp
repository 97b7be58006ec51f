// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/json_lines.hpp>
#include <onetrip/tool/reports.hpp>
#include <onetrip/tool/settings.hpp>
#include <onetrip/tool/summary.hpp>
#include <onetrip/tool/text.hpp>
#include <onetrip/tool/trace.hpp>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

namespace onetrip::tool {
namespace {

std::string text_of(std::filesystem::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

record record_of(kind what, std::string_view label) {
  record r;
  r.what = what;
  r.label = label;
  return r;
}

event event_of(kind what, std::string_view label, double begin, double end, std::uint32_t thread = 0) {
  event e;
  e.what = record_of(what, label);
  e.begin = begin;
  e.end = end;
  e.thread = thread;
  return e;
}

process make_process(std::string program, std::string host) {
  process made;
  made.program = std::move(program);
  made.host = std::move(host);
  return made;
}

/// A file's name that is free again afterwards.
struct scratch {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("onetrip_reports_" + std::to_string(getpid()));
  ~scratch() { std::filesystem::remove(path); }
};

process const node{.program = "heat1d", .host = "n1", .id = 12, .rank = 0, .ranks = 4};

/// A program of two steps, as far as the reports go.
struct made_up {
  tallies rows;
  std::map<std::string_view, memory> spaces;
  picture at;

  made_up() {
    at.seconds = 1.25;
    at.rows = &rows;
    at.spaces = &spaces;
    at.is_whole = true;
    copy(kind::transfer, direction::to_device, "u", "Cuda", "u_host", "Host", 8000, 0.001);
    copy(kind::transfer, direction::to_device, "u", "Cuda", "u_host", "Host", 8000, 0.001);
    copy(kind::transfer, direction::to_host, "u_host", "Host", "u", "Cuda", 8000, 0.002);
    record step = record_of(kind::kernel, "step");
    step.region = "solve/step";
    add(step, 0);
    add(record_of(kind::fence, "wait"), 0.5);
    add(record_of(kind::own_fence, "Kokkos::deep_copy: fence"), 0.1);
    record made = record_of(kind::allocation, "u");
    made.space = "Cuda";
    made.bytes_asked = 8000;
    add(made, 0);
    spaces["Cuda"] = {8000, 16000};
    finding f;
    f.number = 3;
    f.id = "DM02";
    f.how = proof::likely;
    f.where = rows.rows().front().what;
    f.count = 3;
    f.bytes = 24000;
    f.count_saved = 1;
    f.bytes_saved = 8000;
    f.stack = {"main (heat1d.cpp:7)"};
    f.what = "\"u\" goes forth and back";
    f.fix = "keep it on the device";
    at.findings.push_back(f);
    at.problems = {"2 regions popped that were never pushed"};
  }

  void add(record const& what, double seconds) {
    event e;
    e.what = what;
    e.end = seconds;
    rows.add(e);
    ++at.events;
  }
  void copy(kind what, direction where, std::string_view to, std::string_view to_space, std::string_view from,
            std::string_view from_space, std::size_t bytes, double seconds) {
    record r = record_of(what, to);
    r.where = where;
    r.source = from;
    r.space = to_space;
    r.source_space = from_space;
    r.region = "solve/step";
    r.bytes_asked = r.bytes_moved = bytes;
    add(r, seconds);
  }
};

TEST(Settings, AreRead) {
  settings s;
  read_settings("json=a=b.jsonl,trace=%r.json,,summary=none,time=fenced,contents=full,device=u*", s);
  read_settings("device=v,help,json=c", s);
  EXPECT_EQ(s.json, "c");
  EXPECT_EQ(s.trace, "%r.json");
  EXPECT_EQ(s.summary, "none");
  EXPECT_TRUE(s.fenced && s.help);
  EXPECT_EQ(s.hashes, contents::full);
  EXPECT_EQ(s.device, (std::vector<std::string>{"u*", "v"}));
  EXPECT_TRUE(s.problems.empty());
  for (std::string_view const key : {"json=", "trace=", "summary=", "time=fenced", "contents=", "device=", "help"})
    EXPECT_NE(settings_help().find(key), std::string_view::npos) << key;
}

TEST(Settings, NameEachWrongWordOnceAndKeepTheRest) {
  for (std::string const word :
       {"tme=fenced", "time=fence", "json=", "contents=some", "device=", "trace", "=", "help=1"}) {
    settings s;
    read_settings("json=a," + word + ",time=fenced", s);
    ASSERT_EQ(s.problems.size(), 1U) << word;
    EXPECT_EQ(s.problems[0], "'" + word + "' is not a setting; ONETRIP_LEDGER=help lists them");
    EXPECT_TRUE(s.json == "a" && s.fenced);
  }
}

TEST(Text, IsForPeople) {
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(999'949), "1.0 MB");
  EXPECT_EQ(bytes_text(1'234'000'000), "1.2 GB");
  EXPECT_EQ(bytes_text(~std::uint64_t{0}), "18.4 EB");
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(1234567), "1,234,567");
  EXPECT_EQ(time_text(0.0034), "3.4 ms");
  EXPECT_EQ(time_text(5e-7), "0.5 us");
  EXPECT_EQ(time_text(120), "120 s");
  EXPECT_EQ(quoted("a\n\x1b[2J"), "\"a??[2J\"");
}

/// The example in the document is what the code writes, but for the time.
TEST(JsonLines, AreAsTheDocumentShows) {
  scratch const file;
  made_up program;
  settings chosen;
  read_settings("json=heat.jsonl", chosen);
  {
    json_lines lines(file.path.string(), chosen, node, 20240906);
    lines.update(program.at);
    lines.update(program.at); // nothing is new
    program.at.seconds = 1.75;
    program.copy(kind::transfer, direction::to_host, "u_host", "Host", "u", "Cuda", 8000, 0.002);
    program.at.findings[0].count = 4;
    lines.update(program.at);
    lines.end(program.at);
  }
  std::string const document = text_of(ONETRIP_SCHEMA);
  std::size_t const begin = document.find("```json\n") + 8;
  std::string expected = document.substr(begin, document.find("```", begin) - begin);
  std::string written = text_of(file.path);
  std::size_t const time = written.find(R"("time":")") + 8;
  written.replace(time, 20, "2026-12-01T02:46:32Z");
  EXPECT_EQ(written, expected);
}

TEST(JsonLines, HoldAnyBytesAndOnceFullTheLastNumbersAlone) {
  scratch const file;
  made_up program;
  {
    json_lines lines(file.path.string(), {}, {}, 0, 2000);
    std::vector<std::string> labels(64);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = "\"\\\xff\n" + std::to_string(i);
      program.add(record_of(kind::kernel, labels[i]), 0);
      lines.update(program.at);
    }
    lines.end(program.at);
  }
  std::istringstream text(text_of(file.path));
  std::vector<nlohmann::json> entries;
  for (std::string one; std::getline(text, one);)
    entries.push_back(nlohmann::json::parse(one));
  auto const count_of = [&](std::string const& type) {
    return std::count_if(entries.begin(), entries.end(), [&](auto const& e) { return e["type"] == type; });
  };
  EXPECT_EQ(entries.back()["type"], "end");
  EXPECT_EQ(count_of("end"), 1);
  EXPECT_EQ(count_of("problem"), 1 + std::ssize(program.at.problems));
  EXPECT_EQ(count_of("row"), std::ssize(program.rows.rows()));
  EXPECT_LT(count_of("counts"), 20); // of 64 updates
  std::set<int> told;
  for (auto const& e : entries)
    if (e["type"] == "counts")
      for (auto const& row : e["rows"])
        told.insert(row[0].get<int>());
  EXPECT_EQ(told.size(), program.rows.rows().size());
}

TEST(Reports, AFileIsOneProcessesOwn) {
  scratch const file;
  report_file mine(file.path.string(), 100);
  mine.add("one\n");
  mine.flush();
  testing::internal::CaptureStderr();
  report_file theirs(file.path.string(), 100);
  EXPECT_FALSE(theirs.is_open());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "onetrip-ledger: " + file.path.string() +
                                                        " is being written by another process: give each its own, by "
                                                        "%r or %p\n");
  EXPECT_EQ(text_of(file.path), "one\n");
}

TEST(Trace, IsInMicrosecondsAndEndsWhereItIsFull) {
  scratch const file;
  {
    trace boxes(file.path.string(), {}, node, 2);
    boxes.add(event_of(kind::kernel, "a\"b", 1.5, 1.75, 1));
    boxes.add_region("solve/step", 1, 1, 2);
    boxes.add(event_of(kind::fence, "left out", 3, 4));
    boxes.add(event_of(kind::fence, "left out", 5, 6));
    boxes.end();
  }
  auto const entries = nlohmann::json::parse(text_of(file.path));
  ASSERT_EQ(entries.size(), 6U) << entries;
  EXPECT_EQ(entries[0]["args"]["name"], "heat1d, rank 0 (boxes of kernels are their launches: no time=fenced)");
  EXPECT_EQ(entries[1]["args"]["name"], "host thread 1: kernels");
  EXPECT_EQ(entries[2]["name"], "a\"b");
  EXPECT_EQ(entries[2]["ts"], 1.5e6);
  EXPECT_EQ(entries[2]["dur"], 250e3);
  EXPECT_EQ(entries[4]["name"], "solve/step");
  EXPECT_NE(entries[2]["tid"], entries[4]["tid"]);
  EXPECT_EQ(entries[5]["name"], "the trace is full: what comes is left out");
}

TEST(Summary, TellsTheStory) {
  made_up const program;
  EXPECT_EQ(summary(program.at, {}, node), R"(onetrip-ledger: heat1d on n1, rank 0 of 4, 1.2 s, 7 events
  to device   2 transfers, 16.0 kB, 2.0 ms: "u" from "u_host" 16.0 kB
  to host     1 transfer, 8.0 kB, 2.0 ms: "u_host" from "u" 8.0 kB
  kernels     1: "step" 1
  fences      1 of the program's, 500 ms: "wait" 1; 1 of Kokkos' own
  peaks       Cuda 16.0 kB; 1 allocation
  findings    1, 8.0 kB need not have moved
    DM02 LIKELY: "u" goes forth and back
      fix: keep it on the device
      at: main (heat1d.cpp:7)
  not seen    results of reductions into host values, large functors, headers of Views, resize, CUDA graphs, copies by MPI or cudaMemcpy
  problem     2 regions popped that were never pushed
)");
}

TEST(Summary, ForecastsWhereThereIsOneMemory) {
  made_up program;
  program.rows = {};
  program.at.events = 0;
  program.spaces = {{"Host", {0, 2'400'000}}};
  program.at.findings.clear();
  program.at.problems.clear();
  program.at.is_whole = false;
  program.copy(kind::copy, direction::within_host, "u", "Host", "v", "Host", 800, 0.001);
  program.copy(kind::alias, direction::within_host, "u", "Host", "u", "Host", 8000, 0);
  program.add(record_of(kind::kernel, "step"), 0.25);
  settings chosen;
  chosen.fenced = true;
  EXPECT_EQ(summary(program.at, chosen, make_process("p", "h")),
            R"(onetrip-ledger: p on h, 1.2 s, 3 events; it ended without Kokkos::finalize
  transfers   none seen between host and device
  within host 1 copy, 800 B, 1.0 ms: "u" from "v" 800 B
  aliases     1 copy onto itself, moved nothing; with memory of its own for the device 8.0 kB: "u" 8.0 kB
  kernels     1, 250 ms: "step" 250 ms (fenced, which serialises them)
  peaks       Host 2.4 MB; 0 allocations
  findings    none
  forecast    host and device share one memory here: device=LABEL names Views that play the device's, and copies from and to them count as transfers
  not seen    results of reductions into host values, large functors, headers of Views, resize, CUDA graphs, copies by MPI or cudaMemcpy
)");
}

} // namespace
} // namespace onetrip::tool
