// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <heat1d/npy.hpp>

#include <common/program.hpp>

#if defined(__GNUC__) && !defined(__clang__)
// A false alarm with sanitizers, in <regex>, which xtensor includes.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#if __has_include(<xtensor/io/xnpy.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/io/xnpy.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xnpy.hpp>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace heat1d {

namespace {

std::string quoted(std::string const& path) { return "'" + path + "'"; }

apps::bad_input cannot_read_header(std::string const& path) {
  return apps::bad_input(quoted(path) + " has a header that heat1d cannot read");
}

std::ifstream open(std::string const& path) {
  std::error_code ignored;
  auto const there = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    throw apps::bad_input("cannot read " + quoted(path) + ": not a regular file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw apps::bad_input("cannot read " + quoted(path) + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
  return in;
}

/// What a .npy file says of itself, as it is written there, and how many bytes follow.
struct description {
  std::string type;  // as in '<f8'
  std::string shape; // as in (3,4)
  std::uintmax_t bytes = 0;
};

/// The text between two others that follow each other, or nothing.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  auto const begin = text.find(before);
  if (begin == text.npos)
    return {};
  text.remove_prefix(begin + before.size());
  return std::string(text.substr(0, text.find(after)));
}

/// The header, checked before xtensor reads it: it takes room for whatever shape a header claims, and reads a file that
/// ends too early without a word.
description describe(std::string const& path) {
  apps::bad_input const no_npy(quoted(path) + " is not a .npy file");
  constexpr std::string_view magic = "\x93NUMPY";
  constexpr std::size_t longest_header = 4096; // that of an array of numbers has a hundred bytes
  std::ifstream in = open(path);
  std::array<unsigned char, 8> start{};
  in.read(reinterpret_cast<char*>(start.data()), start.size());
  int const version = start[6];
  if (!in || !std::equal(magic.begin(), magic.end(), reinterpret_cast<char const*>(start.data())))
    throw no_npy;
  if (start[7] != 0 || (version != 1 && version != 2))
    throw apps::bad_input(quoted(path) + " has version " + std::to_string(version) + "." + std::to_string(start[7]) +
                          " of the .npy format, not 1.0 or 2.0");
  std::size_t length = 0;
  for (int i = 0; i < 2 * version; ++i)
    length |= static_cast<std::size_t>(in.get() & 0xff) << (8 * i);
  if (!in || length > longest_header)
    throw no_npy;
  std::string header(length, ' ');
  in.read(header.data(), static_cast<std::streamsize>(length));
  if (!in)
    throw no_npy;
  if (!header.ends_with('\n'))
    throw cannot_read_header(path);
  std::erase(header, ' ');
  description d{between(header, "'descr':'", "'"), between(header, "'shape':(", ")"),
                std::filesystem::file_size(path) - static_cast<std::uintmax_t>(in.tellg())};
  if (header.find("'descr':[") != header.npos)
    throw apps::bad_input(quoted(path) + " holds a structured type, not numbers");
  if (!header.starts_with('{') || d.type.empty() || header.find("'shape':(") == header.npos)
    throw cannot_read_header(path);
  return d;
}

template <class T>
std::string type_text() {
  return (std::endian::native == std::endian::little ? "<f" : ">f") + std::to_string(sizeof(T));
}

/// The length of a shape of one dimension, "5," or "5".
std::size_t only_extent(std::string const& path, std::string const& shape) {
  std::size_t extent = 0;
  auto const [rest, error] = std::from_chars(shape.data(), shape.data() + shape.size(), extent);
  std::string_view const left(rest, static_cast<std::size_t>(shape.data() + shape.size() - rest));
  if (error != std::errc{} || (left != "," && !left.empty()))
    throw apps::bad_input(quoted(path) + " has the shape (" + shape + "), not one dimension");
  return extent;
}

} // namespace

template <class T>
std::size_t npy_length(std::string const& path) {
  description const d = describe(path);
  if (d.type != type_text<T>())
    throw apps::bad_input(quoted(path) + " holds '" + d.type + "', not '" + type_text<T>() + "'");
  std::size_t const length = only_extent(path, d.shape);
  if (d.bytes % sizeof(T) != 0 || d.bytes / sizeof(T) != length)
    throw apps::bad_input(quoted(path) + " says that it holds " + std::to_string(length) + " values of " +
                          std::to_string(sizeof(T)) + " bytes, but has " + std::to_string(d.bytes) + " bytes of them");
  return length;
}

template <class T>
std::vector<T> read_npy(std::string const& path) {
  std::size_t const length = npy_length<T>(path);
  std::ifstream in = open(path);
  try {
    auto const array = xt::load_npy<T>(in);
    if (in && array.size() == length)
      return {array.begin(), array.end()};
  } catch (std::runtime_error const&) { // NOLINT(bugprone-empty-catch): its parser refused what ours let pass
  }
  throw cannot_read_header(path);
}

template <class T>
void write_npy(std::ostream& out, std::vector<T> const& values) {
  xt::detail::dump_npy_stream(out, xt::adapt(values)); // xt::dump_npy has no form for a stream
}

template std::size_t npy_length<float>(std::string const&);
template std::size_t npy_length<double>(std::string const&);
template std::vector<float> read_npy(std::string const&);
template std::vector<double> read_npy(std::string const&);
template void write_npy(std::ostream&, std::vector<float> const&);
template void write_npy(std::ostream&, std::vector<double> const&);

} // namespace heat1d
