// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Everything that onetrip offers, by one include.

// what the other parts share
#include <onetrip/concepts.hpp>
#include <onetrip/error.hpp>
#include <onetrip/memory.hpp>
#include <onetrip/version.hpp>

// fuse: many statements, one kernel
#include <onetrip/fuse/explain.hpp>
#include <onetrip/fuse/fuse.hpp>
#include <onetrip/fuse/let.hpp>

// march: many time steps, one pass over memory
#include <onetrip/march/boundary.hpp>
#include <onetrip/march/march.hpp>
#include <onetrip/march/tuning.hpp>

// ledger: what moved
#include <onetrip/ledger/account.hpp>
#include <onetrip/ledger/recorder.hpp>
#include <onetrip/ledger/region_count.hpp>
#include <onetrip/ledger/scope.hpp>

// region: data stays on the device
#include <onetrip/region/alias.hpp>
#include <onetrip/region/clauses.hpp>
#include <onetrip/region/device.hpp>
#include <onetrip/region/enter_exit.hpp>
#include <onetrip/region/region.hpp>
#include <onetrip/region/update.hpp>
