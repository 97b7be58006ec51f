// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/chunk_grid.hpp>
#include <onetrip/detail/device_chunk.hpp>
#include <onetrip/detail/host_chunk.hpp>
#include <onetrip/detail/targets.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// The one kernel of a group of statements.

namespace onetrip::detail {

struct nothing {};

/// `Lanes` elements in a chunk and `Chunks` chunks in an item, of a device. `Exact`: each operation rounds on its own.
template <bool OnHost, bool Exact, int Outer, int Lanes, int Chunks, class Expressions, class... Targets>
struct fuse_kernel {
  using reduced = reductions<Targets...>;
  using value_type = typename reduced::value_type;
  static constexpr int statements = sizeof...(Targets);
  static constexpr int lanes_of_chunk = Lanes;
  static constexpr int chunks_of_item = Chunks;

  Expressions expressions;
  pack<Targets...> targets;
  chunk_grid<Outer> grid;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    value_type none;
    run(item, none);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t item, value_type& accumulated) const { run(item, accumulated); }

  KOKKOS_FUNCTION void init(value_type& a) const { reduced::init(a); }
  KOKKOS_FUNCTION void join(value_type& a, value_type const& b) const { reduced::join(a, b); }
  KOKKOS_FUNCTION void final(value_type& a) const { reduced::write(a, targets); }

  /// On a device: the chunks `first`, `first + step` ... of an item.
  KOKKOS_FORCEINLINE_FUNCTION void take_chunks(std::int64_t first, std::int64_t step, value_type& accumulated) const {
    chunk_place<Outer> places[Chunks];
    bool whole = true;
    for (int u = 0; u < Chunks; ++u) {
      std::int64_t const chunk = first + u * step;
      places[u] = grid.place(chunk, Lanes);
      whole = whole && chunk < grid.total && places[u].first >= 0 && places[u].first + Lanes <= grid.extent[Outer];
    }
    if (whole) {
      device_chunks<Lanes, Chunks>(places, accumulated);
    } else { // the ends of a row
      for (int u = 0; u < Chunks; ++u) {
        if (first + u * step >= grid.total)
          break;
        std::int64_t const end = Kokkos::min(places[u].first + Lanes, grid.extent[Outer]);
        for (places[u].first = Kokkos::max<std::int64_t>(places[u].first, 0); places[u].first < end; ++places[u].first)
          device_chunks<1, 1>(places + u, accumulated);
      }
    }
  }

  /// On the host: `count` elements, up to a chunk. `sums.add<R, reduction, accumulator>(count, value_at)` takes what is
  /// reduced.
  template <class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void take_elements(chunk_place<Outer> const& place, int count, Sums& sums) const {
    host_statements<0, 0>(place, count, pack<>{}, sums);
  }

private:
  template <int K>
  using target = std::remove_cvref_t<decltype(get<K>(std::declval<pack<Targets...> const&>()))>;
  template <int K>
  using expression = std::remove_cvref_t<decltype(get<K>(std::declval<Expressions const&>()))>;

  KOKKOS_FORCEINLINE_FUNCTION void run(std::int64_t item, value_type& accumulated) const {
    if constexpr (OnHost) {
      chunk_place<Outer> const place = grid.place(item, host_chunk_size);
      std::int64_t const left = grid.extent[Outer] - place.first;
      joined_in_vectors<value_type> sums{accumulated};
      take_elements(place, static_cast<int>(Kokkos::min<std::int64_t>(host_chunk_size, left)), sums);
    } else {
      take_chunks(item, grid.items, accumulated);
    }
  }

  // On a device everything is loaded before anything is stored: no load has to wait for a store that might hit it.

  template <int Width, int Count>
  KOKKOS_FORCEINLINE_FUNCTION void device_chunks(chunk_place<Outer> const* places, value_type& accumulated) const {
    device_loader<Outer, Width, Count> load{{places[0]}, places};
    auto const loaded = map_leaves(expressions, load);
    device_statements<0, 0, Width, Count>(places, loaded, pack<>{}, accumulated);
  }

  template <int K, int R, int Width, int Count, class Loaded, class Earlier>
  KOKKOS_FORCEINLINE_FUNCTION void device_statements(chunk_place<Outer> const* places, Loaded const& loaded,
                                                     Earlier const& earlier, value_type& accumulated) const {
    if constexpr (K < statements) {
      auto const& to = get<K>(targets);
      if constexpr (target<K>::kind == statement_kind::store) {
        using value = typename decltype(to.out)::value_type;
        lanes<value, Width * Count> made;
        made.twin = -1;
        for (int j = 0; j < Width * Count; ++j)
          made.value[j] = convert<value>(evaluate<Exact>(get<K>(loaded), j, earlier));
        device_statements<K + 1, R, Width, Count>(places, loaded, append(earlier, made), accumulated);
        store<Width, Count>(to.out, places, made);
      } else if constexpr (target<K>::kind == statement_kind::let) {
        kept<typename target<K>::value_type, Width * Count> made;
        for (int j = 0; j < Width * Count; ++j)
          made.value[j] = evaluate<Exact>(get<K>(loaded), j, earlier);
        device_statements<K + 1, R, Width, Count>(places, loaded, append(earlier, made), accumulated);
      } else {
        using reduction = typename target<K>::reduction;
        using accumulator = typename target<K>::accumulator;
        for (int j = 0; j < Width * Count; ++j)
          get<R>(accumulated) = reduction::template join<accumulator>(
              get<R>(accumulated), convert<accumulator>(evaluate<Exact>(get<K>(loaded), j, earlier)));
        device_statements<K + 1, R + 1, Width, Count>(places, loaded, append(earlier, nothing{}), accumulated);
      }
    }
  }

  // On the host one statement after the other goes over the chunk: it is in the cache.

  template <int K, int R, class Earlier, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void host_statements(chunk_place<Outer> const& place, int count, Earlier const& earlier,
                                                   Sums& sums) const {
    if constexpr (K < statements) {
      if constexpr (target<K>::kind == statement_kind::let) {
        kept<typename target<K>::value_type, host_chunk_size> made;
        host_statement<K, R>(place, count, earlier, made.value);
        in_memory<typename target<K>::value_type> const values{made.value};
        host_statements<K + 1, R>(place, count, append(earlier, values), sums);
      } else {
        host_statement<K, R>(place, count, earlier, sums);
        host_statements<K + 1, R + (target<K>::kind == statement_kind::reduction ? 1 : 0)>(
            place, count, append(earlier, nothing{}), sums);
      }
    }
  }

  /// `to`: where reduced values go, or an array for named ones.
  template <int K, int R, class Earlier, class To>
  KOKKOS_FORCEINLINE_FUNCTION void host_statement(chunk_place<Outer> const& place, int count, Earlier const& earlier,
                                                  To& to) const {
    if constexpr (Exact)
      host_loop_uncontracted<K, R>(place, count, earlier, to);
    else
      host_loop<K, R>(place, count, earlier, to);
  }
  template <int K, int R, class Earlier, class To>
  ONETRIP_NO_CONTRACTION KOKKOS_FUNCTION void host_loop_uncontracted(chunk_place<Outer> const& place, int count,
                                                                     Earlier const& earlier, To& to) const {
    host_loop<K, R>(place, count, earlier, to);
  }
  template <int K, int R, class Earlier, class To>
  KOKKOS_FORCEINLINE_FUNCTION void host_loop(chunk_place<Outer> const& place, int count, Earlier const& earlier,
                                             [[maybe_unused]] To& to) const {
    alignas(64) std::byte buffer[buffer_bytes<expression<K>>() + 64];
    host_loader<Outer> load{{place}, count, buffer};
    auto const loaded = map_leaves(get<K>(expressions), load);
    value_at<Exact, std::remove_const_t<decltype(loaded)>, Earlier> const value{loaded, earlier};
    if constexpr (target<K>::kind == statement_kind::store)
      store_elements(get<K>(targets).out, place, count, value);
    else if constexpr (target<K>::kind == statement_kind::let)
      evaluate_elements(to, count, value);
    else
      to.template add<R, typename target<K>::reduction, typename target<K>::accumulator>(count, value);
  }
};

} // namespace onetrip::detail
