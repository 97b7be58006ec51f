// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace onetrip {

/// How a call of `fuse` or `assign` is to be done, as a type: `same_bits | reproducible`.
template <unsigned Flags>
struct fuse_options {
  static constexpr bool same_bits = Flags & 1;
  static constexpr bool reproducible = Flags & 2;
  static constexpr bool assume_disjoint = Flags & 4;
  static constexpr bool allow_temporary = Flags & 8;
};

template <unsigned A, unsigned B>
constexpr fuse_options<A | B> operator|(fuse_options<A>, fuse_options<B>) {
  return {};
}

/// Each operation is rounded on its own, to the type that it has: the bits are those of a call for each operation,
/// whatever the compiler and the backend contract otherwise. A function, also one of `map`, is one operation. Costs
/// what the contraction saved; half types round at each operation. Does not compile under -ffast-math. Throws `error`
/// where the host's compiler contracts whatever it is asked (clang's -ffp-contract=fast), seen at the first call.
inline constexpr fuse_options<1> same_bits{};

/// Reductions join their values in an order that the shape and the operands' smallest type decide: the same bits at
/// every run, with any number of threads, and with `same_bits` on every backend. The order: rows are filled up to whole
/// chunks of w elements, where w of the smallest type are 16 bytes, and one after the other cut into tiles of 512
/// elements. Tile t belongs to group t mod g, where g is the number of tiles, up to 1024. In a group 512 / w places
/// each take the w elements at theirs in one tile after the other; then places p and p + n / 2 join, of the n that are
/// left, until one is left; and so do the groups' results, of which place p takes every 512 / w th. Rows are those of
/// the fewest loops in which all operands have a stride each, so that a contiguous array is one.
///
/// At first use of an instance, device memory for 1024 partial results, which Kokkos fills.
inline constexpr fuse_options<2> reproducible{};

/// Operands whose strides are too intricate to prove them apart (`alias_error` says so) lie apart: the caller knows.
inline constexpr fuse_options<4> assume_disjoint{};

/// An operand that is read and shares memory with what is written, other than element by element, is copied first: it
/// is read as it was before the call. Costs for each such operand, and only then, an allocation, a kernel and the
/// fence with which Kokkos frees memory.
inline constexpr fuse_options<8> allow_temporary{};

} // namespace onetrip
