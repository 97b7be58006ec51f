// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <onetrip/concepts.hpp>
#include <onetrip/detail/group.hpp>
#include <onetrip/fuse/options.hpp>
#include <onetrip/fuse/statement.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace onetrip {

/// What `fuse` takes: `store`, or a reduction such as `sum`.
template <class T>
concept statement = detail::is_store<T> || detail::is_reduction<T>;

/// Runs the statements, in order for each element, in one kernel on the instance `exec`: each array is read once and
/// written once. Returns at once, unless a reduction's result is a variable of the host's: then one fence of the
/// instance. No copy, and no allocation but, at first use, 4 KiB of pinned memory for such results, and the scratch
/// that Kokkos keeps for reductions. The kernel is labelled "onetrip::fuse::" + label. Options go before the
/// statements: `fuse(exec, label, same_bits | reproducible, ...)`.
///
/// All outputs have one shape; what is read has it too, or stretches to it as in NumPy. Throws `shape_error` where one
/// doesn't, and `alias_error` where what is written shares memory with another operand other than element by element;
/// then nothing has run.
template <execution_space ExecutionSpace, unsigned Flags, statement... S>
  requires(sizeof...(S) > 0)
void fuse(ExecutionSpace const& exec, std::string const& label, fuse_options<Flags>, S const&... statements) {
  detail::run_group<fuse_options<Flags>>(exec, "onetrip::fuse", "onetrip::fuse::" + label, statements...);
}
template <execution_space ExecutionSpace, statement... S>
  requires(sizeof...(S) > 0)
void fuse(ExecutionSpace const& exec, std::string const& label, S const&... statements) {
  fuse(exec, label, fuse_options<0>(), statements...);
}

/// `out = value` for every element: one kernel on the instance `exec`. Throws as `fuse` does.
template <execution_space ExecutionSpace, view_like View, class E, unsigned Flags = 0>
  requires expression_like<std::remove_cvref_t<E>>
void assign(ExecutionSpace const& exec, View const& out, E&& value, fuse_options<Flags> = {}) {
  static std::string const label = "onetrip::assign::store";
  detail::run_group<fuse_options<Flags>>(exec, "onetrip::assign", label, store(out, std::forward<E>(value)));
}

/// The same on the default instance of the Views' execution space, between two fences of everything.
template <unsigned Flags, statement... S>
  requires(sizeof...(S) > 0)
void fuse(std::string const& label, fuse_options<Flags> options, S const&... statements) {
  Kokkos::fence("onetrip::fuse::before");
  fuse(typename detail::space_of<S...>::type(), label, options, statements...);
  Kokkos::fence("onetrip::fuse::after");
}
template <statement... S>
  requires(sizeof...(S) > 0)
void fuse(std::string const& label, S const&... statements) {
  fuse(label, fuse_options<0>(), statements...);
}

/// The same on the default instance of the View's execution space, between two fences of everything.
template <view_like View, class E, unsigned Flags = 0>
  requires expression_like<std::remove_cvref_t<E>>
void assign(View const& out, E&& value, fuse_options<Flags> options = {}) {
  Kokkos::fence("onetrip::assign::before");
  assign(typename View::execution_space(), out, std::forward<E>(value), options);
  Kokkos::fence("onetrip::assign::after");
}

} // namespace onetrip
