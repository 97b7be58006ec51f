// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/findings_groups.hpp>
#include <onetrip/tool/text.hpp>

#include <array>
#include <cstdio>

// When a group is a finding, and what is said of it.

namespace onetrip::tool {

namespace {

/// "12,345 times"
std::string times(std::uint64_t count) { return count == 1 ? "once" : count_text(count) + " times"; }

std::string name_of(std::string_view label) { return label.empty() ? "an unlabelled View" : quoted(label); }

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
  return text.data();
}

finding start(group const& g, std::string_view id, proof how, tally spoken_of, tally saved) {
  finding f;
  f.id = id;
  f.how = how;
  f.where = g.where;
  f.count = spoken_of.count;
  f.bytes = spoken_of.bytes;
  f.count_saved = saved.count;
  f.bytes_saved = saved.bytes;
  return f;
}

/// DM01 and DM02. Where the host changed a tenth of the rounds at most, those in which it did not are no worse for it.
std::optional<finding> trip(group const& g) {
  bool const rides = g.same.count > 0 && g.changed.count == 0;
  tally const uploads = rides ? g.same + g.unknown : g.same;
  tally const downloads = rides ? g.downloads_same + g.downloads_unknown : g.downloads_same;
  std::string const device = name_of(g.where.label);
  std::string const host = name_of(g.where.source);
  tally const known = g.same + g.changed;
  double const share = known.count == 0 ? 0 : g.changed_share / static_cast<double>(known.count);
  if (known.count >= 3 && g.rounds >= 2 && g.changed.count * 10 > known.count && share <= 0.5) {
    auto const saved = static_cast<std::uint64_t>(static_cast<double>(known.bytes) * (1 - share));
    finding f = start(g, "DM02", proof::advisory, known, {g.same.count, saved});
    f.what = device + " came back to the host as " + host + " and went up again " + times(known.count) + ", " +
             bytes_text(known.bytes) + ", and the host had changed about " + percent(share) + " of it";
    f.fix = "update only " + percent(share) +
            ": copy the subviews that change, or change them in a kernel; "
            "onetrip::update_device(...) moves a part";
    return f;
  }
  if (uploads.count == 0)
    return std::nullopt;
  if (uploads.count >= 3 && g.rounds >= 2) {
    tally const all = uploads + downloads;
    finding f = start(g, "DM02", proof::likely, all, all);
    f.what = device + " came back to the host as " + host + " and went up again unchanged " + times(uploads.count) +
             " with kernels between: " + bytes_text(all.bytes) + " moved for nothing, unless the host reads them";
    f.fix = g.swapped > 0 ? "hoist the deep_copy out of the loop: keep both arrays on the device and swap the device "
                            "Views; or open onetrip::region(copy(...)) around the loop"
                          : "hoist the deep_copy out of the loop: up before it, down after it; or open "
                            "onetrip::region(copy(...)) around the loop";
    return f;
  }
  tally const saved = uploads + g.downloads_useless;
  finding f = start(g, "DM01", g.proven == uploads.count ? proof::proven : proof::likely, uploads + downloads, saved);
  f.what = device + " came back to the host as " + host + " and went up again unchanged " + times(uploads.count) +
           ", while the device still had it: " + bytes_text(saved.bytes);
  f.fix = g.swapped > 0 ? "drop the upload: keep the data on the device and use or swap the device View that has it"
                        : "drop the upload: the device View still holds these bytes; onetrip::region(copy(...)) "
                          "moves them once";
  return f;
}

std::optional<finding> repeat(group const& g) {
  bool const loops = g.same.count >= 3;
  tally saved = g.idle;
  if (loops)
    saved = saved + g.same + (g.changed.count == 0 ? g.unknown : tally{});
  if (saved.count == 0)
    return std::nullopt;
  finding f = start(g, "DM03", !loops && g.proven == g.idle.count ? proof::proven : proof::likely, saved, saved);
  f.what = name_of(g.where.source) + " went up to " + name_of(g.where.label) + ' ' + times(saved.count) +
           " more with the same bytes: " + bytes_text(saved.bytes);
  f.fix = loops ? "upload it once, before the loop, and keep it on the device; where kernels write it, keep a second "
                  "device View to copy from; onetrip::region(copyin(...)) does so"
                : "drop the second deep_copy: nothing changed between the two";
  return f;
}

std::optional<finding> dead(group const& g) {
  finding f = start(g, "DM04", proof::proven, g.seen, g.seen);
  f.what = name_of(g.where.source) + " went up to " + name_of(g.where.label) + ' ' + times(g.seen.count) +
           " and was overwritten or freed before anything used it: " + bytes_text(g.seen.bytes);
  f.fix = "drop the deep_copy, or move it to where its data are used";
  return f;
}

std::optional<finding> useless(group const& g) {
  bool const always = g.same.count >= 3 && g.changed.count == 0;
  tally const saved = always ? g.idle + g.same : g.idle;
  if (saved.count == 0)
    return std::nullopt;
  bool const all_proven = g.proven == (g.idle + g.same).count;
  finding f = start(g, "DM05", all_proven ? proof::proven : proof::likely, saved, saved);
  f.what = name_of(g.where.source) + " came down to " + name_of(g.where.label) + ' ' + times(saved.count) +
           " with the bytes that the host had already: " + bytes_text(saved.bytes);
  f.fix = "download only after a kernel has changed it, or once after the loop; onetrip::region(copyin(...)) brings "
          "nothing back";
  return f;
}

std::optional<finding> counted(group const& g) {
  finding f;
  std::string const label = name_of(g.where.label);
  std::string const source = name_of(g.where.source);
  std::string const count = times(g.seen.count);
  switch (g.of) {
  case rule::pageable:
    f = start(g, "DM07", proof::likely, g.seen, {});
    f.what = source + " was copied to " + label + ' ' + count + ", " + bytes_text(g.seen.bytes) +
             ", with pageable memory on the host's side: the driver stages it, and the copy can't overlap";
    f.fix = "allocate the host View in Kokkos::SharedHostPinnedSpace, also by create_mirror_view(...)";
    break;
  case rule::tiny:
    f = start(g, "DM08", proof::advisory, g.seen, {});
    f.what =
        (g.where.where == to_device ? "small uploads followed each other " : "small downloads followed each other ") +
        count + " with no kernel between, " + bytes_text(g.seen.bytes) + " in all; the first was " + source + " to " +
        label;
    f.fix = "batch them: pack the values into one View and copy that; each costs the latency of a transfer";
    break;
  case rule::sync:
    f = start(g, "DM09", proof::advisory, g.seen, {});
    if (g.where.label.find("result being value") != g.where.label.npos) {
      f.what = "a reduction into a host value made the host wait in a loop, " + count;
      f.fix = "reduce into a View on the device, and read it only every so many steps";
    } else {
      f.what = "the fence " + label + " made the host wait in a loop, " + count;
      f.fix = "drop it where kernels run in one execution space's order, or fence after the loop";
    }
    break;
  case rule::churn:
    f = start(g, "DM11", proof::proven, g.seen, {g.seen.count, 0});
    f.what = label + " of " + bytes_text(g.where.bytes_asked) + " in " + std::string(g.where.space) +
             " was freed and allocated again " + count + " with kernels between";
    f.fix = "hoist the allocation out of the loop and use the same View again; each costs fences, a header and an "
            "initialisation";
    break;
  case rule::initialised:
    f = start(g, "DM12", proof::proven, g.seen, {});
    f.what = label + " was initialised and at once overwritten whole " + count + ", " + bytes_text(g.seen.bytes);
    f.fix = "make it by Kokkos::view_alloc(Kokkos::WithoutInitializing, " + label + ')';
    break;
  case rule::alias:
    if (g.seen.count == 0)
      return std::nullopt;
    f = start(g, "DM15", proof::advisory, g.seen, {});
    f.what = label + " was copied onto itself " + count + ": free here, but would move up to " +
             bytes_text(g.seen.bytes) + " where host and device memory differ";
    f.fix = "for a discrete GPU, hoist the deep_copy out of the loop, or open onetrip::region(copy(...)) around it";
    break;
  default: return std::nullopt;
  }
  return f;
}

} // namespace

std::optional<finding> finding_of(group const& from) {
  switch (from.of) {
  case rule::trip: return trip(from);
  case rule::repeat: return repeat(from);
  case rule::dead: return dead(from);
  case rule::useless: return useless(from);
  default: return counted(from);
  }
}

} // namespace onetrip::tool
