// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/mapped_view.hpp>
#include <onetrip/error.hpp>
#include <onetrip/ledger/region_count.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace onetrip::detail {

/// "solver.cpp:12"
inline std::string place_text(std::source_location const& place) {
  std::string_view const file = place.file_name();
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(place.line());
}

/// Which side is right, where only accessors that say what they do were used.
enum class newer { neither, host, device };

/// One array that is present.
struct entry {
  mapped_view view;
  std::string label;
  std::shared_ptr<void const> held; ///< a managed View, so that its memory isn't given to another
  std::byte* device = nullptr;      ///< view.data: an alias
  int structured = 0;               ///< regions that hold it
  int dynamic = 0;                  ///< enter_data less exit_data
  bool copies_back = false;         ///< where the last region that holds it ends
  bool raw = false;                 ///< there is a View from `device`, which may be written at any time
  newer state = newer::neither;
  bool distinct = false;
  std::vector<std::byte> saved; ///< the host's values under its poison
  char const* clause = nullptr;
  std::source_location where;
  region_count* counts = nullptr;

  bool is_alias() const { return device == view.data; }

  std::string text() const { return text_of(label, view) + ", present by " + clause + " at " + place_text(where); }
};

/// One View in one call, for lookups and their errors.
struct request {
  char const* who; ///< "onetrip::copy"
  std::source_location where;
  mapped_view view;
  void const* of;
  std::string (*label_of)(void const*);

  template <class View>
  request(char const* name, View const& v, std::source_location const& place)
      : who(name), where(place), view(v), of(&v),
        label_of([](void const* any) { return std::string(static_cast<View const*>(any)->label()); }) {}

  std::string label() const { return label_of(of); }
  std::string text() const { return std::string(who) + " at " + place_text(where) + ": " + text_of(label(), view); }
};

/// What is present in one memory space: disjoint ranges of host addresses. Callers hold the mutex.
class [[gnu::visibility("default")]] present_table {
public:
  std::mutex mutex;
  std::uint64_t generation = 0; ///< up by one where everything is dropped

  /// The entry that the View is a part of: O(log n). None where it shares no byte with any. Throws `partially_present`
  /// and, where it has the range of one but another shape, `shape_error`.
  entry* find(request const& r) {
    mapped_view const& v = r.view;
    auto const next = m_entries.upper_bound(v.begin());
    if (next != m_entries.end() && next->first < v.end())
      throw partially_present(partial_text(r, *next->second));
    if (next == m_entries.begin())
      return nullptr;
    entry& before = *std::prev(next)->second;
    mapped_view const& whole = before.view;
    if (v.same_elements(whole))
      return &before;
    if (v.begin() >= whole.end())
      return nullptr;
    if (v.end() > whole.end())
      throw partially_present(partial_text(r, before));
    if (v.element != whole.element || v.bytes == whole.bytes)
      throw shape_error(r.text() + " has another element size, rank or layout than " + before.text() +
                        ": one array has one shape on the device");
    if (!whole.holds(v))
      throw partially_present(partial_text(r, before));
    return &before;
  }

  /// The same; throws `not_present` where there is none.
  entry& at(request const& r) {
    if (entry* found = find(r))
      return *found;
    std::string text = r.text() + " is not present";
    std::string const label = r.label();
    for (auto const& [begin, e] : m_entries)
      if (!label.empty() && e->label == label)
        throw not_present(text + "; of the same label there is " + e->text() + ": was it resized?");
    if (entry const* near = nearest(r.view.begin()))
      throw not_present(text + "; the nearest is " + near->text());
    throw not_present(text + ", nor is any other View");
  }

  entry& add(entry made) {
    made.counts = &m_counts.try_emplace(made.label, region_count{made.label, {}, {}}).first->second;
    std::uintptr_t const begin = made.view.begin();
    return *m_entries.emplace(begin, std::make_unique<entry>(std::move(made))).first->second;
  }

  void remove(entry const& e) { m_entries.erase(e.view.begin()); }

  /// Everything, after `f(entry)`.
  template <class F>
  void clear(F const& f) {
    ++generation;
    for (auto& [begin, e] : m_entries)
      f(*e);
    m_entries.clear();
  }

  std::vector<region_count> counts() const {
    std::vector<region_count> all;
    for (auto const& [label, count] : m_counts)
      all.push_back(count);
    return all;
  }

private:
  static std::string partial_text(request const& r, entry const& e) {
    return r.text() + " is present only in part: it shares memory with " + e.text() +
           "; ranges may not overlap, so name the whole array where it enters";
  }

  entry const* nearest(std::uintptr_t address) const {
    if (m_entries.empty())
      return nullptr;
    auto const next = m_entries.upper_bound(address);
    if (next == m_entries.begin())
      return next->second.get();
    entry const* const before = std::prev(next)->second.get();
    bool const after_is_nearer = next != m_entries.end() && next->first - address < address - before->view.end();
    return after_is_nearer ? next->second.get() : before;
  }

  std::map<std::uintptr_t, std::unique_ptr<entry>> m_entries; // small nodes: a lookup's cost is in their cache lines
  std::map<std::string, region_count> m_counts;
};

} // namespace onetrip::detail
