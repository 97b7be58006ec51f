// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/device_chunk.hpp>
#include <onetrip/detail/host_chunk.hpp>
#include <onetrip/fuse/statement.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// The one kernel of a group of statements.

namespace onetrip::detail {

/// The loops of a kernel and how they are cut into chunks: the innermost one into `chunks` a row.
template <int Outer>
struct chunk_grid {
  std::int64_t extent[Outer + 1]; ///< the innermost loop's last
  std::int64_t chunks;
  std::int64_t total; ///< chunks of all rows
  std::int64_t items; ///< work items: item i takes the chunks i, i + items, i + 2 items ...
  std::int64_t shift; ///< the first chunk begins this many elements before the row, so that the others begin aligned

  /// Where chunk `item` lies, if its rows have `size` elements a chunk.
  KOKKOS_FORCEINLINE_FUNCTION chunk_place<Outer> place(std::int64_t item, int size) const {
    chunk_place<Outer> at;
    if constexpr (Outer == 0) {
      at.first = item * size - shift;
    } else {
      std::int64_t rest = divide(item, chunks);
      at.first = (item - rest * chunks) * size - shift;
      for (int k = Outer - 1; k > 0; --k) {
        std::int64_t const next = divide(rest, extent[k]);
        at.outer[k] = rest - next * extent[k];
        rest = next;
      }
      at.outer[0] = rest;
    }
    return at;
  }

private:
  /// Of numbers that are not negative; in 32 bits where they fit, which is several times faster on a GPU.
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t divide(std::int64_t a, std::int64_t b) {
    if (((a | b) >> 32) == 0)
      return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    return a / b;
  }
};

/// What becomes of a statement's values in a kernel.
template <class View>
struct store_target {
  static constexpr bool is_store = true;
  View out;
};
template <class Reduction, class Accumulator, class Result>
struct reduction_target {
  static constexpr bool is_store = false;
  using reduction = Reduction;
  using accumulator = Accumulator;
  Result* result; ///< null: the launch returns it
};

/// The accumulators of the reductions among targets.
template <class... Targets>
struct accumulators_of {
  using type = pack<>;
};
template <class Target, class... Rest>
struct accumulators_of<Target, Rest...> {
  using rest = typename accumulators_of<Rest...>::type;
  template <class T, bool IsStore = T::is_store>
  struct with {
    using type = rest;
  };
  template <class T>
  struct with<T, false> {
    using type = prepend_t<typename T::accumulator, rest>;
  };
  using type = typename with<Target>::type;
};

struct nothing {};

/// `Lanes` elements in a chunk and `Chunks` chunks in an item, of a device.
template <bool OnHost, int Outer, int Lanes, int Chunks, class Expressions, class... Targets>
struct fuse_kernel {
  using value_type = typename accumulators_of<Targets...>::type;
  static constexpr int statements = sizeof...(Targets);
  static constexpr int chunk_size = OnHost ? host_chunk_size : Lanes;

  Expressions expressions;
  pack<Targets...> targets;
  chunk_grid<Outer> grid;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    value_type none;
    run(item, none);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t item, value_type& accumulated) const { run(item, accumulated); }

  KOKKOS_FUNCTION void init(value_type& a) const { init_from<0, 0>(a); }
  KOKKOS_FUNCTION void join(value_type& a, value_type const& b) const { join_from<0, 0>(a, b); }
  KOKKOS_FUNCTION void final(value_type& a) const { final_from<0, 0>(a); }

private:
  template <int K>
  using target = std::remove_cvref_t<decltype(get<K>(std::declval<pack<Targets...> const&>()))>;

  KOKKOS_FORCEINLINE_FUNCTION void run(std::int64_t item, value_type& accumulated) const {
    if constexpr (OnHost) {
      chunk_place<Outer> const place = grid.place(item, chunk_size);
      std::int64_t const left = grid.extent[Outer] - place.first;
      host_statements<0, 0>(place, static_cast<int>(Kokkos::min<std::int64_t>(chunk_size, left)), accumulated);
    } else {
      chunk_place<Outer> places[Chunks];
      bool whole = true;
      for (int u = 0; u < Chunks; ++u) {
        std::int64_t const chunk = item + u * grid.items;
        places[u] = grid.place(chunk, chunk_size);
        whole = whole && chunk < grid.total && places[u].first >= 0 && places[u].first + Lanes <= grid.extent[Outer];
      }
      if (whole) {
        device_chunks<Lanes, Chunks>(places, accumulated);
      } else { // the ends of a row
        for (int u = 0; u < Chunks; ++u) {
          if (item + u * grid.items >= grid.total)
            break;
          std::int64_t const end = Kokkos::min(places[u].first + Lanes, grid.extent[Outer]);
          for (places[u].first = Kokkos::max<std::int64_t>(places[u].first, 0); places[u].first < end;
               ++places[u].first)
            device_chunks<1, 1>(places + u, accumulated);
        }
      }
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
      if constexpr (target<K>::is_store) {
        using value = typename decltype(to.out)::value_type;
        lanes<value, Width * Count> made;
        made.twin = -1;
        for (int j = 0; j < Width * Count; ++j)
          made.value[j] = convert<value>(evaluate(get<K>(loaded), j, earlier));
        device_statements<K + 1, R, Width, Count>(places, loaded, append(earlier, made), accumulated);
        store<Width, Count>(to.out, places, made);
      } else {
        using reduction = typename target<K>::reduction;
        using accumulator = typename target<K>::accumulator;
        for (int j = 0; j < Width * Count; ++j)
          get<R>(accumulated) = reduction::template join<accumulator>(
              get<R>(accumulated), convert<accumulator>(evaluate(get<K>(loaded), j, earlier)));
        device_statements<K + 1, R + 1, Width, Count>(places, loaded, append(earlier, nothing{}), accumulated);
      }
    }
  }

  // On the host one statement after the other goes over the chunk: it is in the cache.

  template <int K, int R>
  KOKKOS_FUNCTION void host_statements(chunk_place<Outer> const& place, int count, value_type& accumulated) const {
    if constexpr (K < statements) {
      host_statement<K, R>(place, count, accumulated);
      host_statements<K + 1, R + (target<K>::is_store ? 0 : 1)>(place, count, accumulated);
    }
  }

  template <int K, int R>
  KOKKOS_FUNCTION void host_statement(chunk_place<Outer> const& place, int count,
                                      [[maybe_unused]] value_type& accumulated) const {
    using expression_type = std::remove_cvref_t<decltype(get<K>(expressions))>;
    auto const& to = get<K>(targets);
    alignas(64) std::byte buffer[buffer_bytes<expression_type>() + 64];
    host_loader<Outer> load{{place}, count, buffer};
    auto const loaded = map_leaves(get<K>(expressions), load);
    if constexpr (target<K>::is_store) {
      using value = typename decltype(to.out)::value_type;
      value* const out = to.out.at(place);
      if (std::int64_t const stride = to.out.stride[Outer]; stride == 1) {
        ONETRIP_IVDEP
        for (int j = 0; j < count; ++j)
          out[j] = convert<value>(evaluate(loaded, j, pack<>{}));
      } else {
        value packed[host_chunk_size];
        for (int j = 0; j < count; ++j)
          packed[j] = convert<value>(evaluate(loaded, j, pack<>{}));
        for (int j = 0; j < count; ++j)
          out[j * stride] = packed[j];
      }
    } else {
      using reduction = typename target<K>::reduction;
      using accumulator = typename target<K>::accumulator;
      constexpr int width = 8; // partial results side by side, as vector code needs them
      accumulator partial[width];
      for (int l = 0; l < width; ++l)
        partial[l] = reduction::template identity<accumulator>();
      int j = 0;
      for (; j + width <= count; j += width)
        for (int l = 0; l < width; ++l)
          partial[l] = reduction::template join<accumulator>(partial[l],
                                                             convert<accumulator>(evaluate(loaded, j + l, pack<>{})));
      for (int l = 0; j < count; ++j, ++l)
        partial[l] =
            reduction::template join<accumulator>(partial[l], convert<accumulator>(evaluate(loaded, j, pack<>{})));
      for (int l = 0; l < width; ++l)
        get<R>(accumulated) = reduction::template join<accumulator>(get<R>(accumulated), partial[l]);
    }
  }

  template <int K, int R>
  KOKKOS_FORCEINLINE_FUNCTION void init_from(value_type& a) const {
    if constexpr (K < statements) {
      if constexpr (!target<K>::is_store)
        get<R>(a) = target<K>::reduction::template identity<typename target<K>::accumulator>();
      init_from<K + 1, R + (target<K>::is_store ? 0 : 1)>(a);
    }
  }
  template <int K, int R>
  KOKKOS_FORCEINLINE_FUNCTION void join_from(value_type& a, value_type const& b) const {
    if constexpr (K < statements) {
      if constexpr (!target<K>::is_store)
        get<R>(a) = target<K>::reduction::template join<typename target<K>::accumulator>(get<R>(a), get<R>(b));
      join_from<K + 1, R + (target<K>::is_store ? 0 : 1)>(a, b);
    }
  }
  template <int K, int R>
  KOKKOS_FORCEINLINE_FUNCTION void final_from(value_type& a) const {
    if constexpr (K < statements) {
      if constexpr (!target<K>::is_store) {
        auto* const result = get<K>(targets).result;
        if (result != nullptr)
          *result = convert<std::remove_cvref_t<decltype(*result)>>(get<R>(a));
      }
      final_from<K + 1, R + (target<K>::is_store ? 0 : 1)>(a);
    }
  }
};

} // namespace onetrip::detail
