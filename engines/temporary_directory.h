// A directory of one's own for a moment, below $TMPDIR or else /tmp. Cold code, any thread.
#ifndef LEVELFIELD_ENGINES_TEMPORARY_DIRECTORY_H_
#define LEVELFIELD_ENGINES_TEMPORARY_DIRECTORY_H_

#include <stdlib.h>  // mkdtemp is POSIX's.

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace levelfield {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::error_code error;
    std::filesystem::path below = std::filesystem::temp_directory_path(error);
    if (error) below = "/tmp";
    std::string path = (below / "levelfield-XXXXXX").string();
    if (mkdtemp(path.data()) != nullptr) {
      path_ = path;
    } else {
      error_ = "cannot make a directory in " + below.string() + ": " + std::strerror(errno);
    }
  }
  ~TemporaryDirectory() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  // Empty if there is none; `error` says why.
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

 private:
  std::string path_;
  std::string error_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_TEMPORARY_DIRECTORY_H_
