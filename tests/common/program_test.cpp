// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/program.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace {

constexpr auto most = std::numeric_limits<std::uint64_t>::max();

/// What `count` makes of the text: the message, or else the number in digits.
std::string counted(std::string text, std::uint64_t low = 0, std::uint64_t high = most) {
  std::string const message = apps::count(low, high)(text);
  return message.empty() ? text : message;
}

TEST(Count, TakesDigitsAndPowersOfTwo) {
  for (auto const& [text, number] : {std::pair{"0", "0"},
                                     {"1000", "1000"},
                                     {"007", "7"},
                                     {"2^0", "1"},
                                     {"2^20", "1048576"},
                                     {"2^63", "9223372036854775808"},
                                     {"18446744073709551615", "18446744073709551615"}})
    EXPECT_EQ(counted(text), number);
}

TEST(Count, RejectsEverythingElse) {
  for (std::string const text : {"", " 1", "1 ", "+1", "-1", "1.5", "1e6", "0x10", "abc", "12abc", "2^", "2^-1", "2^64",
                                 "2^999999999999999999999", "3*2^20", "3^2", "18446744073709551616"})
    EXPECT_EQ(counted(text),
              "'" + text + "' is not a whole number from 0 to 18446744073709551615, in digits or as 2^K");
}

TEST(Count, HoldsToItsBounds) {
  EXPECT_EQ(counted("1", 1, 4), "1");
  EXPECT_EQ(counted("4", 1, 4), "4");
  EXPECT_EQ(counted("0", 1, 4), "'0' is not a whole number from 1 to 4, in digits or as 2^K");
  EXPECT_EQ(counted("5", 1, 4), "'5' is not a whole number from 1 to 4, in digits or as 2^K");
  EXPECT_EQ(counted("2^41", 1, std::uint64_t{1} << 40),
            "'2^41' is not a whole number from 1 to 2^40, in digits or as 2^K");
}

TEST(Names, TakesOnlyTheAllowed) {
  auto const check = apps::names({"fused", "unfused"});
  for (std::string name : {"fused", "unfused"})
    EXPECT_EQ(check(name), "");
  for (std::string name : {"", "Fused", "fuse", "fused "})
    EXPECT_EQ(check(name), "'" + name + "' is none of fused, unfused");
}

TEST(Number, TakesWhatStrtodTakesWhole) {
  auto const check = apps::number();
  for (std::string number : {"1", "-0.5", "1e-3", "1e999", "nan", "inf"})
    EXPECT_EQ(check(number), "");
  for (std::string text : {"", "x", "1x", "1 "})
    EXPECT_EQ(check(text), "'" + text + "' is not a number");
}

/// What a list of names is read as.
std::vector<std::string> read_names(std::vector<std::string> arguments) {
  CLI::App cli;
  std::vector<std::string> chosen{"a"};
  apps::add_names(cli, "--names", chosen, {"a", "b", "c"}, "Names");
  cli.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  return chosen;
}

TEST(AddNames, ReadsACommaListInRunningOrder) {
  using list = std::vector<std::string>;
  EXPECT_EQ(read_names({}), list({"a"}));
  EXPECT_EQ(read_names({"--names", "c"}), list({"c"}));
  EXPECT_EQ(read_names({"--names=c,b"}), list({"b", "c"}));
  EXPECT_EQ(read_names({"--names", "c,b,c", "--names", "a"}), list({"a", "b", "c"}));
  EXPECT_THROW(read_names({"--names", "a,d"}), CLI::ValidationError);
  EXPECT_THROW(read_names({"--names", "a", "b"}), CLI::ExtrasError);
}

} // namespace
