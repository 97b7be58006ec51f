// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/detail/pack.hpp>
#include <onetrip/fuse/types.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

// What becomes of statements' values in a kernel, and the reductions among them.

namespace onetrip::detail {

enum class statement_kind { store, reduction, let };

template <class View>
struct store_target {
  static constexpr auto kind = statement_kind::store;
  View out;
};

template <class Reduction, class Accumulator, class Result>
struct reduction_target {
  static constexpr auto kind = statement_kind::reduction;
  using reduction = Reduction;
  using accumulator = Accumulator;
  Result* result;
};

template <class T>
struct let_target {
  static constexpr auto kind = statement_kind::let;
  using value_type = T;
};

/// The accumulators of the reductions among targets.
template <class... Targets>
struct accumulators_of {
  using type = pack<>;
};
template <class Target, class... Rest>
struct accumulators_of<Target, Rest...> {
  using rest = typename accumulators_of<Rest...>::type;
  template <class T, statement_kind Kind = T::kind>
  struct with {
    using type = rest;
  };
  template <class T>
  struct with<T, statement_kind::reduction> {
    using type = prepend_t<typename T::accumulator, rest>;
  };
  using type = typename with<Target>::type;
};

/// What Kokkos asks of a functor that reduces, for all reductions at once.
template <class... Targets>
struct reductions {
  using value_type = typename accumulators_of<Targets...>::type;

  KOKKOS_FORCEINLINE_FUNCTION static void init(value_type& a) { init_from<0, 0>(a); }
  KOKKOS_FORCEINLINE_FUNCTION static void join(value_type& a, value_type const& b) { join_from<0, 0>(a, b); }
  KOKKOS_FORCEINLINE_FUNCTION static void write(value_type const& a, pack<Targets...> const& to) {
    write_from<0, 0>(a, to);
  }

private:
  template <int K>
  using target = std::remove_cvref_t<decltype(get<K>(std::declval<pack<Targets...> const&>()))>;
  template <int K, int R>
  static constexpr int next = R + (target<K>::kind == statement_kind::reduction ? 1 : 0);

  template <int K, int R>
  KOKKOS_FORCEINLINE_FUNCTION static void init_from(value_type& a) {
    if constexpr (K < sizeof...(Targets)) {
      if constexpr (target<K>::kind == statement_kind::reduction)
        get<R>(a) = target<K>::reduction::template identity<typename target<K>::accumulator>();
      init_from<K + 1, next<K, R>>(a);
    }
  }
  template <int K, int R>
  KOKKOS_FORCEINLINE_FUNCTION static void join_from(value_type& a, value_type const& b) {
    if constexpr (K < sizeof...(Targets)) {
      if constexpr (target<K>::kind == statement_kind::reduction)
        get<R>(a) = target<K>::reduction::template join<typename target<K>::accumulator>(get<R>(a), get<R>(b));
      join_from<K + 1, next<K, R>>(a, b);
    }
  }
  template <int K, int R>
  KOKKOS_FORCEINLINE_FUNCTION static void write_from(value_type const& a, pack<Targets...> const& to) {
    if constexpr (K < sizeof...(Targets)) {
      if constexpr (target<K>::kind == statement_kind::reduction) {
        auto& result = *get<K>(to).result;
        result = convert<std::remove_cvref_t<decltype(result)>>(get<R>(a));
      }
      write_from<K + 1, next<K, R>>(a, to);
    }
  }
};

} // namespace onetrip::detail
