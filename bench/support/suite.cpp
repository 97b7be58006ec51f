// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/suite.hpp"

#include <common/program.hpp>

#include <algorithm>
#include <utility>

namespace bench {

namespace {

double gb_per_s(row const& r, double seconds) {
  return 1e-9 * static_cast<double>(r.bytes_read + r.bytes_written) / seconds;
}

} // namespace

struct suite::live_row {
  explicit live_row(row r) : what(std::move(r)), time(what.run, what.how) {}

  row what;
  sampler time;
  std::optional<counters> counted; // of the first repetition on
};

/// The rows of one type and size.
struct suite::row_set {
  std::function<std::vector<row>()> make;
  std::vector<live_row> rows{}; // none while another set is live

  live_row* find(std::string const& case_name, std::string const& variant) {
    auto const found = std::find_if(rows.begin(), rows.end(), [&](live_row const& r) {
      return r.what.case_name == case_name && r.what.variant == variant;
    });
    return found == rows.end() ? nullptr : &*found;
  }
};

void suite::add(std::string const& type, std::size_t size, std::vector<row> const& outline,
                std::function<std::vector<row>()> make) {
  auto const set = std::make_shared<row_set>(row_set{std::move(make)});
  for (std::size_t index = 0; index < outline.size(); ++index) {
    row const& r = outline[index];
    std::string const name = m_program + '/' + r.case_name + '/' + r.variant + '/' + type + '/' + std::to_string(size);
    auto const repeat_row = [this, set, index](benchmark::State& state) { repeat(state, set, index); };
    // Google Benchmark before 1.8 takes no string. NOLINTNEXTLINE(readability-redundant-string-cstr)
    auto* const added = benchmark::RegisterBenchmark(name.c_str(), repeat_row);
    added->Iterations(1)->UseManualTime()->Unit(benchmark::kMicrosecond);
    if (r.slow && m_fewer_of_slow)
      added->Repetitions(3);
  }
}

void suite::release() {
  if (m_live != nullptr)
    m_live->rows.clear();
  m_live.reset();
}

/// Samples of raw and of the copy, then the row's own, so that what drifts drifts for all three.
void suite::repeat(benchmark::State& state, std::shared_ptr<row_set> const& set, std::size_t index) try {
  if (m_live != set) {
    release();
    for (row& r : set->make())
      set->rows.emplace_back(std::move(r));
    m_live = set;
  }
  live_row& own = set->rows[index];
  row const& what = own.what;
  live_row* const raw = set->find(what.case_name, what.raw);
  live_row* const copy = set->find("copy", "copy");
  for (live_row* const r : {raw, copy, &own})
    if (r != nullptr && !r->counted) {
      r->what.prepare();
      r->counted = r->what.count();
    }
  double const raw_seconds = raw != nullptr ? raw->time.sample() : 0;
  double const copy_seconds = copy->time.sample();
  what.prepare();
  double const seconds = own.time.sample();
  double const error = what.check();

  for (auto _ : state)
    state.SetIterationTime(seconds);
  state.counters["bytes_read"] = static_cast<double>(what.bytes_read);
  state.counters["bytes_written"] = static_cast<double>(what.bytes_written);
  state.counters["gb_per_s"] = gb_per_s(what, seconds);
  state.counters["share_of_copy"] = gb_per_s(what, seconds) / gb_per_s(copy->what, copy_seconds);
  if (raw != nullptr)
    state.counters["share_of_raw"] = raw_seconds / seconds;
  state.counters["max_error"] = error;
  for (auto const& [name, value] : *own.counted)
    state.counters[name] = value;
  if (what.rates)
    for (auto const& [name, value] : what.rates(seconds))
      state.counters[name] = value;
  state.SetLabel(what.label);
} catch (apps::wrong_answer const& error) {
  if (!m_failure)
    m_failure = error.what();
  state.SkipWithError(error.what());
}

} // namespace bench
