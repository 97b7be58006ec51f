# SPDX-FileCopyrightText: The onetrip authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command beside libonetrip_ledger.so: it runs programs under it, and reads the JSON Lines that it writes."""
