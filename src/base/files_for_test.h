// For tests only: a directory that is removed when the test ends, and whole files in one call.
#ifndef LEVELFIELD_BASE_FILES_FOR_TEST_H_
#define LEVELFIELD_BASE_FILES_FOR_TEST_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/whole_file.h"

namespace levelfield {

class TemporaryDirectory {
 public:
  TemporaryDirectory()
      : path_((std::filesystem::temp_directory_path() / "levelfield_XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

// Empty also if there is no such file.
inline std::string Read(const std::string& path) { return ReadAll(path); }

// Makes the directories above it as well.
inline void Write(const std::string& path, std::string_view bytes) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_FILES_FOR_TEST_H_
