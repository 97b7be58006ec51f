// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/program.hpp>

#include <common/table.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <iostream>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace apps {

namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  char const* const end = text.data() + text.size();
  bool const power = text.starts_with("2^");
  auto const [rest, error] = std::from_chars(text.data() + (power ? 2 : 0), end, number);
  if (error != std::errc{} || rest != end || (power && number > 63))
    return std::nullopt;
  return power ? std::uint64_t{1} << number : number;
}

std::string joined(std::vector<std::string> const& names, std::string const& separator) {
  std::string text;
  for (std::string const& name : names)
    text += (text.empty() ? "" : separator) + name;
  return text;
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Whether Kokkos, 4.6 to 5, takes this flag: on others it aborts, or only warns.
bool kokkos_takes(std::string_view flag) {
  std::size_t const equals = flag.find('=');
  bool const has_value = equals != flag.npos;
  std::string_view const name = flag.substr(0, equals);
  std::string value(has_value ? flag.substr(equals + 1) : "");
  if (is_one_of(name, {"--kokkos-help", "--kokkos-tools-help"}))
    return !has_value;
  if (is_one_of(name, {"--kokkos-num-threads", "--kokkos-device-id"})) {
    auto const number = value.starts_with("2^") ? std::nullopt : whole_number(value);
    return number && *number <= 1'000'000 && (*number > 0 || name == "--kokkos-device-id");
  }
  if (is_one_of(name, {"--kokkos-disable-warnings", "--kokkos-print-configuration", "--kokkos-tune-internals"})) {
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::tolower(c); });
    return !has_value || is_one_of(value, {"yes", "no", "true", "false", "1", "0"});
  }
  if (name == "--kokkos-map-device-id-by")
    return is_one_of(value, {"random", "mpi_rank"});
  return is_one_of(name, {"--kokkos-tools-libs", "--kokkos-tools-library", "--kokkos-tools-args"}) && !value.empty();
}

// clang has no __FP_FAST_FMA.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(__FP_FAST_FMA) || defined(__FMA__) ||         \
    defined(__ARM_FEATURE_FMA)
constexpr bool slow_fma = false;
#else
constexpr bool slow_fma = true;
#endif

/// Kokkos reports memory that it could not get as a plain runtime_error.
bool is_allocation_failure(std::string_view message) {
  return message.find("memory space failed to allocate") != message.npos;
}

} // namespace

CLI::Validator count(std::uint64_t low, std::uint64_t high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        auto const number = whole_number(text);
        if (!number || *number < low || *number > high)
          return "'" + text + "' is not a whole number from " + count_text(low) + " to " + count_text(high) +
                 ", in digits or as 2^K";
        text = std::to_string(*number);
        return std::string();
      },
      "");
}

CLI::Validator names(std::vector<std::string> allowed) {
  return CLI::Validator(
      [allowed = std::move(allowed)](std::string& name) {
        if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
          return "'" + name + "' is none of " + joined(allowed, ", ");
        return std::string();
      },
      "");
}

CLI::Option* add_names(CLI::App& cli, std::string const& flag, std::vector<std::string>& chosen,
                       std::vector<std::string> const& allowed, std::string const& description) {
  return cli.add_option(flag, chosen, description + ": " + joined(allowed, ","))
      ->default_str(joined(chosen, ","))
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(names(allowed));
}

int run_program(CLI::App& cli, int argc, char** argv, std::function<void()> const& body) {
  std::string const program = cli.get_name();
  auto failed = [&](int code, std::string const& message) {
    std::cout.flush();
    std::cerr << program << ": " << in_one_line(message) << std::endl;
    return code;
  };
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    auto const first_of_kokkos =
        std::stable_partition(arguments.begin(), arguments.end(),
                              [](std::string const& argument) { return !argument.starts_with("--kokkos-"); });
    std::vector<std::string> kokkos_flags(first_of_kokkos, arguments.end());
    arguments.erase(first_of_kokkos, arguments.end());

    cli.set_version_flag("--version", program + " " ONETRIP_VERSION_STRING, "Print the version and exit");
    cli.footer("Flags that start with --kokkos- go to Kokkos: --kokkos-help lists them.");
    std::reverse(arguments.begin(), arguments.end()); // the order in which CLI11 takes a vector
    cli.parse(std::move(arguments));

    std::vector<char*> kokkos_argv{argv[0]};
    bool only_help = false;
    for (std::string& flag : kokkos_flags) {
      if (!kokkos_takes(flag))
        throw bad_input("Kokkos does not take '" + flag + "' (--kokkos-help lists its flags)");
      only_help = only_help || flag == "--kokkos-help" || flag == "--kokkos-tools-help";
      kokkos_argv.push_back(flag.data());
    }
    int kokkos_argc = static_cast<int>(kokkos_argv.size());
    kokkos_argv.push_back(nullptr);
    Kokkos::ScopeGuard const kokkos(kokkos_argc, kokkos_argv.data());
    if (kokkos_argc > 1)
      throw bad_input(std::string("this Kokkos does not take '") + kokkos_argv[1] + "'");
    if (only_help)
      return 0;
    if (slow_fma)
      std::cerr << program << ": warning: built without fused multiply-add, so that fma is a slow library call\n";
    body();
    if (!std::cout.flush())
      throw bad_input("cannot write to stdout");
    return 0;
  } catch (CLI::ParseError const& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) // --help and --version
      return cli.exit(error);
    return failed(2, error.what());
  } catch (bad_input const& error) {
    return failed(2, error.what());
  } catch (std::bad_alloc const& error) {
    return failed(2, std::string("out of memory: ") + error.what());
  } catch (std::exception const& error) {
    return failed(is_allocation_failure(error.what()) ? 2 : 1, error.what());
  }
}

} // namespace apps
