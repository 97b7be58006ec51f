// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace apps {

/// What the user asked for can't be done: exit code 2.
class bad_input : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// A variant's answer is not the expected one: exit code 1.
class wrong_answer : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// For `option->transform(...)`: a whole number from `low` to `high`, written in digits or as 2^K.
CLI::Validator count(std::uint64_t low, std::uint64_t high);

/// For `option->check(...)`: one of `allowed`, whose order the message keeps.
CLI::Validator names(std::vector<std::string> allowed);

/// For `option->check(...)`: a number that may have a fraction.
CLI::Validator number();

/// Adds the option `flag`, the name of a file to write.
CLI::Option* add_file(CLI::App& cli, std::string const& flag, std::string& chosen, std::string const& description);

/// Adds the option `flag`, a list of names separated by commas: `chosen` has them in the order of `allowed`, each once.
/// What is in it now is the default.
CLI::Option* add_names(CLI::App& cli, std::string const& flag, std::vector<std::string>& chosen,
                       std::vector<std::string> const& allowed, std::string const& description);

/// Initializes Kokkos with the flags of the command line that start with `--kokkos-`.
using kokkos_start = std::function<void()>;

/// What both programs' `main` does: reads the command line and runs `body`, which checks its input, calls the start
/// that it is given and does its work; Kokkos says things on stderr when it starts, so that bad input is better told
/// before. An error is one line on stderr, `PROGRAM: message`. Returns the exit code: 0; 1 for a wrong answer and
/// errors within; 2 for bad input and for memory that could not be had.
int run_program(CLI::App& cli, int argc, char** argv, std::function<void(kokkos_start const&)> const& body);

} // namespace apps
