// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "region/arrays.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

// What regions are to do, in `distinct`, with arrays of integers: the rules of docs/region.md in plain vectors.

namespace region_tests {

enum class newer_side { neither, on_host, on_device };

struct copy_on_device {
  std::vector<int> values;
  int structured = 0, dynamic = 0;
  bool copies_back = false, raw = false;
  newer_side state = newer_side::neither;
  std::optional<std::vector<int>> saved; // under the host's poison
  bool is_newer() const { return state == newer_side::on_device || (raw && state != newer_side::on_host); }
};

struct model {
  struct block {
    std::vector<int> host;
    std::optional<copy_on_device> device;
  };

  /// Elements first, first + step, ...: `count` of them.
  struct part {
    std::size_t first, count, step;
  };

  std::vector<block> blocks;
  moved seen; ///< since it was last set to nothing

  static part whole(block const& b) { return {0, b.host.size(), 1}; }

  void to_device(block& b, part const& p) {
    move(b.host, b.device->values, p, seen.in);
    if (p.count == b.host.size())
      b.device->state = newer_side::neither;
  }

  void to_host(block& b, part const& p) {
    move(b.device->values, b.host, p, seen.back);
    if (p.count == b.host.size()) {
      b.device->state = newer_side::neither;
      b.device->saved.reset();
    }
  }

  /// A clause: whether something holds the block now.
  bool open(block& b, bool in, bool out, bool creates, bool always) {
    if (b.host.empty())
      return false;
    if (b.device) {
      if (always && in)
        to_device(b, whole(b));
    } else if (creates) {
      b.device.emplace().values.assign(b.host.size(), poison);
      b.device->copies_back = out;
      if (in)
        to_device(b, whole(b));
    }
    return b.device.has_value();
  }

  /// The end of a region's hold.
  void close(block& b, bool sends_back, bool unwinds) {
    copy_on_device& d = *b.device;
    bool const ends = d.structured == 1 && d.dynamic == 0;
    if (sends_back && !unwinds && !(ends && d.copies_back))
      to_host(b, whole(b));
    --d.structured;
    if (ends)
      end(b, d.copies_back && !unwinds);
  }

  /// False: an error.
  bool exit(block& b, bool copies, bool all) {
    if (!b.device)
      return true;
    if (b.device->dynamic == 0)
      return false;
    b.device->dynamic = all ? 0 : b.device->dynamic - 1;
    if (b.device->dynamic == 0 && b.device->structured == 0)
      end(b, copies);
    return true;
  }

  void use_on_device(block& b, bool writes, bool raw) {
    copy_on_device& d = *b.device;
    if (d.state == newer_side::on_host)
      to_device(b, whole(b));
    if (!writes)
      return;
    if (d.copies_back) {
      if (!d.saved)
        d.saved = b.host;
      for (std::size_t i = 0; i < b.host.size(); ++i) {
        if (b.host[i] != poison)
          (*d.saved)[i] = b.host[i];
        b.host[i] = poison;
      }
    }
    d.state = newer_side::on_device;
    d.raw = d.raw || raw;
  }

  void use_on_host(block& b, bool writes) {
    if (b.device->is_newer())
      to_host(b, whole(b));
    if (writes)
      b.device->state = newer_side::on_host;
  }

  void swap(block& a, block& b) {
    bool const raw = a.device->raw || b.device->raw;
    use_on_device(a, true, raw);
    use_on_device(b, true, raw);
    a.device->values.swap(b.device->values);
  }

private:
  static void move(std::vector<int> const& from, std::vector<int>& to, part const& p, onetrip::tally& sum) {
    for (std::size_t i = 0; i < p.count; ++i)
      to[p.first + i * p.step] = from[p.first + i * p.step];
    if (p.count != 0) {
      ++sum.count;
      sum.bytes += p.count * sizeof(int);
    }
  }

  void end(block& b, bool copies) {
    if (copies && b.device->is_newer())
      to_host(b, whole(b));
    if (b.device->saved)
      for (std::size_t i = 0; i < b.host.size(); ++i)
        if (b.host[i] == poison)
          b.host[i] = (*b.device->saved)[i];
    b.device.reset();
  }
};

} // namespace region_tests
