// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>

// What becomes of the two end points of an array in a time step.

namespace onetrip {

/// One of the two ends of an array. An array of one point is its left end.
enum class end : std::uint8_t { left, right };

/// The two end points keep their values.
struct fixed_ends {};

/// Beyond an end point lies its own value again: nothing flows out.
struct insulated_ends {};

/// The two end points are neighbours.
struct periodic_ends {};

/// The end points are given: after step s they have the values `value(end::left, s)` and `value(end::right, s)`.
/// `Value` is callable on the device, its type at namespace scope.
template <class Value>
struct driven_ends {
  Value value;
};
template <class Value>
driven_ends(Value) -> driven_ends<Value>;

namespace detail {

template <class Ends, class T>
inline constexpr bool is_ends =
    std::same_as<Ends, fixed_ends> || std::same_as<Ends, insulated_ends> || std::same_as<Ends, periodic_ends>;
template <class Value, class T>
inline constexpr bool is_ends<driven_ends<Value>, T> = requires(Value const& value, std::int64_t step) {
  { value(end::left, step) } -> std::convertible_to<T>;
};

} // namespace detail

/// What a marcher of `T` takes for the ends of its array.
template <class Ends, class T>
concept ends_of = detail::is_ends<Ends, T>;

} // namespace onetrip
