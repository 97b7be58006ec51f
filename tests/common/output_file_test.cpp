// SPDX-FileCopyrightText: The onetrip authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <common/output_file.hpp>
#include <common/program.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

/// Each test has an empty folder of its own.
class output_file_test : public testing::Test {
protected:
  void SetUp() override { fs::create_directory(m_folder); }
  void TearDown() override { fs::remove_all(m_folder); }

  std::string at(std::string const& name) const { return (m_folder / name).string(); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (auto const& entry : fs::directory_iterator(m_folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

private:
  fs::path m_folder = fs::temp_directory_path() / ("onetrip_output_file_test." + std::to_string(getpid()));
};

void put(std::string const& path, std::string const& text) { std::ofstream(path) << text; }

std::string text_of(std::string const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The message of the bad_input that `action()` throws.
template <class Action>
std::string refusal(Action action) try {
  action();
  return "no refusal";
} catch (apps::bad_input const& error) {
  return error.what();
}

TEST_F(output_file_test, AppearsWholeAtTheCommit) {
  apps::output_file file(at("x.json"));
  EXPECT_TRUE(files().empty());
  file.stream() << "text " << 1 << '\n';
  EXPECT_FALSE(fs::exists(at("x.json")));
  file.finish();
  file.commit();
  EXPECT_EQ(text_of(at("x.json")), "text 1\n");
  EXPECT_EQ(files(), std::vector<std::string>({"x.json"}));
}

TEST_F(output_file_test, KeepsWhatStoodThereWithoutACommit) {
  put(at("x.json"), "old");
  {
    apps::output_file file(at("x.json"));
    file.stream() << "new";
  }
  EXPECT_EQ(text_of(at("x.json")), "old");
  EXPECT_EQ(files(), std::vector<std::string>({"x.json"}));
  apps::output_file file(at("x.json"));
  file.stream() << "new";
  file.finish();
  file.commit();
  EXPECT_EQ(text_of(at("x.json")), "new");
}

TEST_F(output_file_test, ReplacesTheFileBehindALink) {
  put(at("x.json"), "old");
  fs::create_symlink("x.json", at("link"));
  apps::output_file file(at("link"));
  file.stream() << "new";
  file.finish();
  file.commit();
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(text_of(at("x.json")), "new");
}

TEST_F(output_file_test, RefusesALinkThatLeadsNowhere) {
  fs::create_symlink("missing", at("link"));
  fs::create_symlink("loop", at("loop"));
  for (std::string const name : {"link", "loop"})
    EXPECT_EQ(refusal([&] { apps::output_file file(at(name)); }),
              "cannot write '" + at(name) + "': it is a link that leads nowhere");
}

TEST_F(output_file_test, KeepsThePermissions) {
  put(at("x.json"), "old");
  auto const ours = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
  fs::permissions(at("x.json"), ours);
  apps::output_file file(at("x.json"));
  file.stream() << "new";
  file.finish();
  file.commit();
  EXPECT_EQ(fs::status(at("x.json")).permissions(), ours);
}

TEST_F(output_file_test, KnowsTheSameFileByAnotherSpelling) {
  fs::create_directory(at("folder"));
  fs::create_symlink("folder", at("link"));
  apps::output_file const file(at("folder/x.json"));
  EXPECT_TRUE(file.is_same_as(apps::output_file(at("link/../link/./x.json"))));
  EXPECT_FALSE(file.is_same_as(apps::output_file(at("x.json"))));
}

TEST_F(output_file_test, WritesToAnOpenStreamWithoutReplacingItsFile) {
  put(at("log"), "first ");
  int const log = open(at("log").c_str(), O_WRONLY);
  apps::output_file file("/dev/fd/" + std::to_string(log));
  file.stream() << "second";
  file.finish();
  file.commit();
  close(log);
  EXPECT_EQ(text_of(at("log")), "first second");
  EXPECT_EQ(refusal([&] { apps::output_file closed("/dev/fd/" + std::to_string(log)); }),
            "cannot write '/dev/fd/" + std::to_string(log) + "': it is not open");
}

TEST_F(output_file_test, RefusesWhatDoesNotFit) {
  apps::output_file const file(at("x.json"));
  file.require_space(1);
  EXPECT_THAT(refusal([&] { file.require_space(std::uintmax_t{1} << 60); }),
              testing::MatchesRegex("cannot write '.*/x.json': needs 1073741824.0 GiB of disk space, [0-9]+.[0-9] GiB "
                                    "available"));
}

TEST_F(output_file_test, RefusesAFolderAndAMissingFolder) {
  EXPECT_EQ(refusal([&] { apps::output_file file(at("no/x.json")); }),
            "cannot write '" + at("no/x.json") + "': there is no folder '" + at("no") + "'");
  EXPECT_EQ(refusal([&] { apps::output_file file(at("")); }), "cannot write '" + at("") + "': it is a folder");
  std::string const long_name = at(std::string(300, 'x'));
  EXPECT_EQ(refusal([&] { apps::output_file file(long_name); }),
            "cannot write '" + long_name + "': File name too long");
}

TEST_F(output_file_test, TellsAFullDisk) {
  apps::output_file full("/dev/full"); // not a regular file: written to directly
  full.stream() << "text";
  EXPECT_EQ(refusal([&] { full.finish(); }), "cannot write '/dev/full': No space left on device");
  EXPECT_TRUE(fs::exists("/dev/full"));
}

TEST_F(output_file_test, LeavesNothingHalfWritten) {
  put(at("x.json"), "old");
  auto const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit const small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string const message = refusal([&] {
    apps::output_file file(at("x.json"));
    file.stream() << std::string(1 << 20, 'x') << "more";
    file.finish();
    file.commit();
  });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(message, "cannot write '" + at("x.json") + "': File too large");
  EXPECT_EQ(text_of(at("x.json")), "old");
  EXPECT_EQ(files(), std::vector<std::string>({"x.json"}));
}

} // namespace
