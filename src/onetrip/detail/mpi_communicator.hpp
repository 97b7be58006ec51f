// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/error.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

// The one place that makes a communicator, looks at what MPI returns, and lets ranks agree.

namespace onetrip::detail {

inline void check_mpi(int code, std::string_view call) {
  if (code == MPI_SUCCESS)
    return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw error("onetrip::mpi: " + std::string(call) + " failed: " + std::string(text.data(), std::size_t(length)));
}

inline bool mpi_is_finalized() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized != 0;
}

inline void require_mpi() {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0)
    throw error("onetrip::mpi: MPI is not initialized; call MPI_Init before");
  if (mpi_is_finalized())
    throw error("onetrip::mpi: MPI is finalized already");
}

/// What must be the same on all ranks, and its name.
struct common_fact {
  std::string_view name;
  std::int64_t value;
};

/// A duplicate of a user's communicator, whose calls return their errors.
class communicator {
public:
  explicit communicator(MPI_Comm const& from) {
    require_mpi();
    if (from == MPI_COMM_NULL)
      throw error("onetrip::mpi: the communicator is MPI_COMM_NULL");
    check_mpi(MPI_Comm_dup(from, &m_comm), "MPI_Comm_dup");
    try {
      check_mpi(MPI_Comm_set_errhandler(m_comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
      int between_groups = 0;
      check_mpi(MPI_Comm_test_inter(m_comm, &between_groups), "MPI_Comm_test_inter");
      if (between_groups != 0)
        throw error("onetrip::mpi: the communicator is an intercommunicator");
      check_mpi(MPI_Comm_rank(m_comm, &m_rank), "MPI_Comm_rank");
      check_mpi(MPI_Comm_size(m_comm, &m_size), "MPI_Comm_size");
    } catch (...) {
      MPI_Comm_free(&m_comm);
      throw;
    }
  }
  communicator(communicator const&) = delete;
  communicator& operator=(communicator const&) = delete;
  ~communicator() {
    if (!mpi_is_finalized())
      MPI_Comm_free(&m_comm);
  }

  MPI_Comm get() const { return m_comm; }
  int rank() const { return m_rank; }
  int size() const { return m_size; }

  /// Throws on all ranks if one of them has a fault or the facts differ: its own fault on a rank that has one. One
  /// reduction.
  void agree(std::exception_ptr const& fault, std::vector<common_fact> const& facts) const {
    require_mpi();
    // The largest of v and of ~v, which is the smallest of v: where they are one, all are.
    std::vector<std::int64_t> most{fault ? m_rank + 1 : 0};
    for (common_fact const& fact : facts) {
      most.push_back(fact.value);
      most.push_back(~fact.value);
    }
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_INT64_T, MPI_MAX, m_comm),
              "MPI_Allreduce");
    if (fault)
      std::rethrow_exception(fault);
    if (most[0] != 0)
      throw error("onetrip::mpi::marcher: rank " + std::to_string(most[0] - 1) + " can't go on, and says why");
    for (std::size_t f = 0; f < facts.size(); ++f)
      if (std::int64_t const high = most[2 * f + 1], low = ~most[2 * f + 2]; low != high)
        throw error("onetrip::mpi::marcher: the ranks disagree on " + std::string(facts[f].name) + ": from " +
                    std::to_string(low) + " to " + std::to_string(high));
  }

  /// Each rank's value.
  template <class Value>
  std::vector<Value> gather(Value const& own) const {
    std::vector<Value> all(static_cast<std::size_t>(m_size));
    check_mpi(MPI_Allgather(&own, sizeof(Value), MPI_BYTE, all.data(), sizeof(Value), MPI_BYTE, m_comm),
              "MPI_Allgather");
    return all;
  }

private:
  MPI_Comm m_comm = MPI_COMM_NULL;
  int m_rank = 0;
  int m_size = 1;
};

} // namespace onetrip::detail
