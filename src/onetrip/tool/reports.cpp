// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/reports.hpp>

#include <iostream>

namespace onetrip::tool {

reports::reports(settings const&, process const&, std::uint64_t) {}
reports::~reports() = default;
bool reports::is_live() const { return false; }
void reports::add(event const&) {}
void reports::add_region(std::string_view, std::uint32_t, double, double) {}
void reports::update(picture const&) {}
void reports::finish(picture const& last) {
  for (row const& r : last.rows->rows())
    std::cerr << static_cast<int>(r.what.what) << ' ' << r.count << ' ' << r.bytes << ' ' << r.what.label << '\n';
}

} // namespace onetrip::tool
