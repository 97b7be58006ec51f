// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>

namespace onetrip::tool {

/// What this process is among those of its run.
struct process {
  std::string program; ///< its file's name
  std::string host;
  int id = 0;
  std::optional<int> rank; ///< as the launchers of Open MPI, MPICH, Slurm and PMIx tell it
  std::optional<int> ranks;
};

process this_process();

/// A file's name with %r, %h and %p (rank, host, process) replaced; a process without a rank is rank 0. %% is a %.
std::string expanded(std::string const& name, process const& of);

} // namespace onetrip::tool
