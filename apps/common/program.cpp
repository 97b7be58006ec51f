// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/program.hpp>

#include <common/table.hpp>

#include <onetrip/onetrip.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
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

/// `--flag=` as `--flag` and an empty value: CLI11 would take the next argument for the value.
std::vector<std::string> with_empty_values(std::vector<std::string> const& arguments) {
  std::vector<std::string> all;
  for (std::string const& argument : arguments) {
    bool const is_empty = argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    all.push_back(is_empty ? argument.substr(0, argument.size() - 1) : argument);
    if (is_empty)
      all.emplace_back();
  }
  return all;
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
    bool const threads = name == "--kokkos-num-threads"; // Kokkos has room for 512
    return number && *number >= (threads ? 1 : 0) && *number <= (threads ? 512 : 1'000'000);
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

void initialize(std::optional<Kokkos::ScopeGuard>& kokkos, char* program, std::vector<std::string>& flags) {
  std::vector<char*> argv{program};
  for (std::string& flag : flags)
    argv.push_back(flag.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  (void)kokkos.emplace(argc, argv.data());
  if (argc > 1)
    throw bad_input(std::string("this Kokkos does not take '") + argv[1] + "'");
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

CLI::Validator number() {
  return CLI::Validator(
      [](std::string& text) {
        char* end = nullptr;
        std::strtod(text.c_str(), &end);
        return text.empty() || *end != '\0' ? "'" + text + "' is not a number" : std::string();
      },
      "");
}

CLI::Option* add_file(CLI::App& cli, std::string const& flag, std::string& chosen, std::string const& description) {
  auto const has_name = [](std::string& path) {
    return path.empty() ? std::string("the file's name is empty") : std::string();
  };
  return cli.add_option(flag, chosen, description)->type_name("FILE")->check(CLI::Validator(has_name, ""));
}

CLI::Option* add_names(CLI::App& cli, std::string const& flag, std::vector<std::string>& chosen,
                       std::vector<std::string> const& allowed, std::string const& description) {
  auto const read = [&chosen, allowed](std::vector<std::string> const& given) {
    chosen.clear();
    for (std::string const& name : allowed)
      if (std::find(given.begin(), given.end(), name) != given.end())
        chosen.push_back(name);
  };
  return cli
      .add_option_function<std::vector<std::string>>(flag, read,
                                                     description + ", separated by commas: " + joined(allowed, ","))
      ->option_text("NAMES [" + joined(chosen, ",") + "]") // what CLI11 would make of it ends in "..."
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(names(allowed));
}

int run_program(CLI::App& cli, int argc, char** argv, std::function<void(kokkos_start const&)> const& body) {
  std::string const program = cli.get_name();
  auto failed = [&](int code, std::string const& message) {
    std::cout.flush();
    std::cerr << program << ": " << in_one_line(message) << '\n';
    return code;
  };
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    auto const first_of_kokkos =
        std::stable_partition(arguments.begin(), arguments.end(),
                              [](std::string const& argument) { return !argument.starts_with("--kokkos-"); });
    std::vector<std::string> kokkos_flags(first_of_kokkos, arguments.end());
    arguments = with_empty_values({arguments.begin(), first_of_kokkos});

    cli.set_version_flag("--version", program + " " ONETRIP_VERSION_STRING, "Print the version and exit");
    cli.footer("N is a whole number, in digits or as 2^K.\n"
               "Flags that start with --kokkos- go to Kokkos: --kokkos-help lists them.");
    std::reverse(arguments.begin(), arguments.end()); // the order in which CLI11 takes a vector
    cli.parse(std::move(arguments));

    bool only_help = false;
    for (std::string const& flag : kokkos_flags) {
      if (!kokkos_takes(flag))
        throw bad_input("Kokkos does not take '" + flag + "' (--kokkos-help lists its flags)");
      only_help = only_help || flag == "--kokkos-help" || flag == "--kokkos-tools-help";
    }
    std::optional<Kokkos::ScopeGuard> kokkos;
    auto const start = [&] { initialize(kokkos, argv[0], kokkos_flags); };
    if (only_help) {
      start();
      return 0;
    }
    body([&] {
      start();
      if (slow_fma)
        std::cerr << program << ": warning: built without fused multiply-add, so that fma is a slow library call\n";
    });
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
