// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/summary.hpp>

#include <onetrip/tool/text.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace onetrip::tool {

namespace {

constexpr std::size_t most_labels = 3, most_findings = 10;

struct total {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  std::vector<row const*> rows;
};

template <class Condition>
total total_of(picture const& all, Condition const& condition) {
  total sum;
  for (row const& r : all.rows->rows())
    if (condition(r.what)) {
      sum.count += r.count;
      sum.bytes += r.bytes;
      sum.seconds += r.seconds;
      sum.rows.push_back(&r);
    }
  return sum;
}

auto of(kind what) {
  return [what](record const& r) { return r.what == what; };
}

std::string events(std::uint64_t count, std::string_view what) {
  return count_text(count) + ' ' + std::string(what) + (count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

/// "copy", "copies"
std::string copies(std::uint64_t count) { return count_text(count) + (count == 1 ? " copy" : " copies"); }

std::string line(std::string_view name, std::string const& text) {
  std::string start = "  " + std::string(name);
  start.resize(std::max<std::size_t>(start.size() + 1, 14), ' ');
  return start + text + '\n';
}

/// The rows with the most of `size`, as `told` tells them.
template <class Size, class Told>
std::string most(std::vector<row const*> rows, Size const& size, Told const& told) {
  std::stable_sort(rows.begin(), rows.end(), [&](row const* a, row const* b) { return size(*a) > size(*b); });
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), most_labels); ++i)
    text += (i == 0 ? "" : ", ") + told(*rows[i]);
  return text + (rows.size() > most_labels ? ", ..." : "");
}

std::string most_bytes(total const& of) {
  return most(
      of.rows, [](row const& r) { return r.bytes; },
      [](row const& r) {
        return quoted(r.what.label) +
               (r.what.source.empty() || r.what.source == r.what.label ? "" : " from " + quoted(r.what.source)) + ' ' +
               bytes_text(r.bytes);
      });
}

std::string most_events(total const& of) {
  return most(
      of.rows, [](row const& r) { return r.count; },
      [](row const& r) { return quoted(r.what.label) + ' ' + count_text(r.count); });
}

std::string copy_text(total const& of, std::string const& count) {
  bool const is_bound = std::any_of(of.rows.begin(), of.rows.end(), [](row const* r) { return r->what.upper_bound; });
  return count + (is_bound ? ", at most " : ", ") + bytes_text(of.bytes) + ", " + time_text(of.seconds) + ": " +
         most_bytes(of);
}

std::string transfers(picture const& all) {
  std::string text;
  for (direction const where : {direction::to_device, direction::to_host, direction::unknown}) {
    total const sum = total_of(all, [=](record const& r) { return r.what == kind::transfer && r.where == where; });
    if (sum.count > 0)
      text += line(where == direction::unknown ? "either way" : to_string(where),
                   copy_text(sum, events(sum.count, "transfer")));
  }
  if (text.empty())
    text = line("transfers", "none seen between host and device");
  return text;
}

std::string other_copies(picture const& all) {
  std::string text;
  for (direction const where : {direction::within_device, direction::within_host, direction::unknown}) {
    total const sum = total_of(all, [=](record const& r) { return r.what == kind::copy && r.where == where; });
    if (sum.count > 0)
      text += line(where == direction::unknown ? "copies" : to_string(where), copy_text(sum, copies(sum.count)));
  }
  if (total const sum = total_of(all, of(kind::alias)); sum.count > 0)
    text += line("aliases", copies(sum.count) + (sum.count == 1 ? " onto itself" : " onto themselves") +
                                ", moved nothing; with memory of its own for the device " + bytes_text(sum.bytes) +
                                ": " + most_bytes(sum));
  return text;
}

std::string kernels(picture const& all, settings const& chosen) {
  total const sum = total_of(all, of(kind::kernel));
  if (sum.count == 0)
    return "";
  if (!chosen.fenced)
    return line("kernels", count_text(sum.count) + ": " + most_events(sum));
  return line("kernels", count_text(sum.count) + ", " + time_text(sum.seconds) + ": " +
                             most(
                                 sum.rows, [](row const& r) { return r.seconds; },
                                 [](row const& r) { return quoted(r.what.label) + ' ' + time_text(r.seconds); }) +
                             " (fenced, which serialises them)");
}

std::string fences(picture const& all) {
  total const own = total_of(all, of(kind::own_fence)), sum = total_of(all, of(kind::fence));
  if (own.count + sum.count == 0)
    return "";
  std::string text = count_text(sum.count) + " of the program's";
  if (sum.count > 0)
    text += ", " + time_text(sum.seconds) + ": " + most_events(sum);
  return line("fences", text + "; " + count_text(own.count) + " of Kokkos' own");
}

std::string peaks(picture const& all) {
  std::string text;
  for (auto const& [space, bytes] : *all.spaces)
    text += (text.empty() ? "" : ", ") + std::string(space) + ' ' + bytes_text(bytes.peak);
  total const made = total_of(all, of(kind::allocation));
  return text.empty() ? "" : line("peaks", text + "; " + events(made.count, "allocation"));
}

std::string findings_text(picture const& all) {
  std::vector<finding const*> found;
  std::uint64_t saved = 0;
  for (finding const& f : all.findings) {
    found.push_back(&f);
    saved += f.bytes_saved;
  }
  if (found.empty())
    return line("findings", "none");
  std::stable_sort(found.begin(), found.end(), [](finding const* a, finding const* b) {
    return a->bytes_saved != b->bytes_saved ? a->bytes_saved > b->bytes_saved : a->how > b->how;
  });
  std::string text = line("findings", count_text(found.size()) +
                                          (saved == 0 ? "" : ", " + bytes_text(saved) + " need not have moved"));
  for (std::size_t i = 0; i < std::min(found.size(), most_findings); ++i) {
    finding const& f = *found[i];
    text += "    " + std::string(f.id) + ' ' + std::string(to_string(f.how)) + ": " + f.what + "\n      fix: " + f.fix +
            '\n';
    if (!f.stack.empty())
      text += "      at: " + f.stack.front() + '\n';
  }
  if (found.size() > most_findings)
    text += "    and " + count_text(found.size() - most_findings) + " more: json=FILE has them\n";
  return text;
}

/// Whether copies may be transfers that can't be told from others, since host and device share their memory.
bool may_hide_transfers(picture const& all, settings const& chosen) {
  bool const has_device = std::any_of(all.spaces->begin(), all.spaces->end(),
                                      [](auto const& space) { return space.first.substr(0, 4) != "Host"; });
  total const sum =
      total_of(all, [](record const& r) { return r.what == kind::copy && r.where == direction::within_host; });
  return !has_device && chosen.device.empty() && sum.count > 0;
}

} // namespace

std::string summary(picture const& last, settings const& chosen, process const& self) {
  std::string text = "onetrip-ledger: " + self.program + " on " + self.host;
  if (self.rank)
    text += ", rank " + std::to_string(*self.rank) + (self.ranks ? " of " + std::to_string(*self.ranks) : "");
  text += ", " + time_text(last.seconds) + ", " + count_text(last.events) + " events" +
          (last.is_whole ? "" : "; it ended without Kokkos::finalize") + '\n';
  text +=
      transfers(last) + other_copies(last) + kernels(last, chosen) + fences(last) + peaks(last) + findings_text(last);
  if (may_hide_transfers(last, chosen))
    text += line("forecast", "host and device share one memory here: device=LABEL names Views that play the device's, "
                             "and copies from and to them count as transfers");
  text += line("not seen", "results of reductions into host values, large functors, headers of Views, resize, CUDA "
                           "graphs, copies by MPI or cudaMemcpy");
  for (std::string const& problem : last.problems)
    text += line("problem", problem);
  return text;
}

} // namespace onetrip::tool
