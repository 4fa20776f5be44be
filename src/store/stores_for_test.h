// Only for tests of stores and their directories: a place to make them in, and what all of these
// tests do with them.
#ifndef LEVELFIELD_STORE_STORES_FOR_TEST_H_
#define LEVELFIELD_STORE_STORES_FOR_TEST_H_

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "base/files_for_test.h"
#include "store/store_directory.h"

namespace levelfield {

// A temporary directory that holds $HOME and the working directory during a test.
class TestOfStores : public testing::Test {
 protected:
  TestOfStores() {
    std::string name = "/tmp/lf_store_XXXXXX";
    play_ = mkdtemp(name.data());
    std::filesystem::create_directories(play_ + "/a/desk/here/keep");
    Write(play_ + "/homes/me/keep/letter", "dear");
    const char* home = getenv("HOME");
    home_before_ = home != nullptr ? home : "";
    working_before_ = std::filesystem::current_path();
    setenv("HOME", (play_ + "/homes/me").c_str(), 1);
    std::filesystem::current_path(play_ + "/a/desk/here");
  }
  ~TestOfStores() override {
    std::filesystem::current_path(working_before_);
    if (home_before_.empty()) {
      unsetenv("HOME");
    } else {
      setenv("HOME", home_before_.c_str(), 1);
    }
    std::filesystem::remove_all(play_);
  }

  std::string At(const std::string& name) const { return play_ + "/" + name; }
  std::optional<StoreMarker> MarkerAt(const std::string& name) const {
    return ParseMarker(Read(At(name + "/LEVELFIELD")));
  }

  std::string play_;
  std::string home_before_;
  std::filesystem::path working_before_;
};

// Everything in a tree that somebody could miss: names, types, modes, owners, times, contents.
inline std::string TreeOf(const std::filesystem::path& root) {
  std::set<std::string> lines;
  const auto add = [&lines](const std::filesystem::path& path) {
    struct stat s;
    if (lstat(path.c_str(), &s) != 0) return;
    std::stringstream line;
    line << path.string() << ' ' << s.st_mode << ' ' << s.st_uid << ' ' << s.st_nlink << ' '
         << s.st_ino << ' ' << s.st_mtim.tv_sec << '.' << s.st_mtim.tv_nsec << ' ';
    if (S_ISLNK(s.st_mode)) line << std::filesystem::read_symlink(path).string();
    if (S_ISREG(s.st_mode)) line << Read(path);
    lines.insert(line.str());
  };
  add(root);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) add(entry.path());
  std::string tree;
  for (const std::string& line : lines) tree += line + "\n";
  return tree;
}

inline StoreDirectory::Options WithSalt(uint64_t salt) {
  return {.salt = salt, .harness = "0.1.0-test", .fresh = false};
}
inline StoreDirectory::Options Fresh() {
  return {.salt = 7, .harness = "0.1.0-test", .fresh = true};
}

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORES_FOR_TEST_H_
