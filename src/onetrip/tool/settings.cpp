// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <onetrip/tool/settings.hpp>

namespace onetrip::tool {

void read_settings(std::string_view, settings&) {}

std::string_view settings_help() { return "ONETRIP_LEDGER=key=value,...\n"; }

} // namespace onetrip::tool
