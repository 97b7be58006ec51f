// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/mpi_communicator.hpp>
#include <onetrip/detail/mpi_partition.hpp>
#include <onetrip/detail/transfer.hpp>

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

// Fills the halos of an extended part from the ranks that own their points.

namespace onetrip::detail {

/// Where messages of a device's memory wait on the host.
#ifdef KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
using halo_staging_space = Kokkos::SharedHostPinnedSpace;
#else
using halo_staging_space = Kokkos::HostSpace;
#endif

/// The points near the ends of an extended part, on the host: its first `head` and its last `tail` ones.
template <class T>
struct halo_staging {
  std::int64_t points;
  std::int64_t head;
  std::int64_t tail;
  Kokkos::View<T*, halo_staging_space> data{};

  T* at(std::int64_t i) const { return data.data() + (i < head ? i : i - (points - head - tail)); }
};

/// The plan is made once: each exchange starts the same requests. Where the state isn't `Staged` they read and write
/// it.
template <class T, class ExecutionSpace, bool Staged = !is_host_memory<typename ExecutionSpace::memory_space>>
class halo_exchange {
public:
  /// For the state of this rank, its part of `parts` with halos of `halo` points.
  halo_exchange(communicator const& comm, ExecutionSpace const& exec, partition const& parts, std::int64_t halo,
                T* state)
      : m_exec(exec), m_part(parts.extended(comm.rank(), halo)), m_size(parts.size(comm.rank())), m_state(state) {
    if constexpr (Staged) {
      std::int64_t const edge = std::min(halo, m_size);
      std::int64_t const after = m_part.points - m_part.own - m_size;
      m_staging.points = m_part.points;
      m_staging.head = m_part.own + edge;
      m_staging.tail = std::min(after + edge, m_part.points - m_staging.head);
      m_staging.data =
          Kokkos::View<T*, halo_staging_space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "onetrip::mpi::staging"),
                                               static_cast<std::size_t>(m_staging.head + m_staging.tail));
    }
    // Between two ranks messages arrive in the order in which they are sent, which is that of `pieces` on both sides.
    auto const type = std::is_same_v<T, float> ? MPI_FLOAT : MPI_DOUBLE;
    try {
      for (halo_piece const& piece : parts.pieces(comm.rank(), halo))
        check_mpi(MPI_Recv_init(on_host(piece.to), static_cast<int>(piece.points), type, piece.owner, 0, comm.get(),
                                &m_requests.emplace_back(MPI_REQUEST_NULL)),
                  "MPI_Recv_init");
      for (int rank = 0; rank < parts.ranks(); ++rank)
        for (halo_piece const& piece : parts.pieces(rank, halo)) {
          if (piece.owner != comm.rank())
            continue;
          check_mpi(MPI_Send_init(on_host(m_part.own + piece.from), static_cast<int>(piece.points), type, rank, 0,
                                  comm.get(), &m_requests.emplace_back(MPI_REQUEST_NULL)),
                    "MPI_Send_init");
          if (rank != comm.rank()) {
            ++m_messages;
            m_bytes += static_cast<std::int64_t>(sizeof(T)) * piece.points;
          }
        }
    } catch (...) {
      free_requests();
      throw;
    }
  }
  halo_exchange(halo_exchange const&) = delete;
  halo_exchange& operator=(halo_exchange const&) = delete;
  ~halo_exchange() {
    if (!mpi_is_finalized())
      free_requests();
  }

  /// One fence of the instance, and the messages; where staged, up to four transfers. What comes after in the instance
  /// sees the halos.
  void operator()() {
    if (m_requests.empty())
      return;
    if constexpr (Staged)
      stage();
    // Now the state is there, and what was received before is in the device's memory.
    m_exec.fence("onetrip::mpi::exchange");
    auto const count = static_cast<int>(m_requests.size());
    check_mpi(MPI_Startall(count, m_requests.data()), "MPI_Startall");
    check_mpi(MPI_Waitall(count, m_requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    if constexpr (Staged)
      unstage();
  }

  /// Of one exchange: what this rank sends to others.
  std::int64_t messages() const { return m_messages; }
  std::int64_t bytes() const { return m_bytes; }

private:
  T* on_host(std::int64_t i) const {
    if constexpr (Staged)
      return m_staging.at(i);
    else
      return m_state + i;
  }

  /// The own points near the ends.
  void stage() const {
    std::int64_t const end = m_part.own + m_size;
    std::int64_t const tail = m_part.points - m_staging.tail;
    to_host(m_part.own, std::min(m_staging.head, end));
    to_host(std::max(tail, m_part.own), end);
  }
  void unstage() const {
    to_device(0, m_part.own);
    to_device(m_part.own + m_size, m_part.points);
  }

  // The points from `begin` to `end`, which are together in the staging memory, too.

  void to_host(std::int64_t begin, std::int64_t end) const {
    if (begin < end)
      fetch(m_exec, reinterpret_cast<std::byte*>(m_staging.at(begin)), staging_name(), halo_staging_space::name(),
            reinterpret_cast<std::byte const*>(m_state + begin), "onetrip::mpi::state", bytes_of(end - begin));
  }
  void to_device(std::int64_t begin, std::int64_t end) const {
    if (begin < end)
      send(m_exec, reinterpret_cast<std::byte*>(m_state + begin), "onetrip::mpi::state",
           reinterpret_cast<std::byte const*>(m_staging.at(begin)), staging_name(), halo_staging_space::name(),
           bytes_of(end - begin));
  }
  static std::size_t bytes_of(std::int64_t points) { return sizeof(T) * static_cast<std::size_t>(points); }
  static std::string staging_name() { return "onetrip::mpi::staging"; }

  void free_requests() {
    for (MPI_Request& request : m_requests)
      if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
  }

  ExecutionSpace m_exec;
  extended_part m_part;
  std::int64_t m_size;
  T* m_state;
  halo_staging<T> m_staging{};
  std::vector<MPI_Request> m_requests;
  std::int64_t m_messages = 0;
  std::int64_t m_bytes = 0;
};

} // namespace onetrip::detail
