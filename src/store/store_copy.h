// A copy of a store that nobody has open, to look at in place of the store itself: engines lock,
// recover and write to what they open, even to read it. On file systems that can, a copy shares its
// blocks with the original and takes no space.
#ifndef LEVELFIELD_STORE_STORE_COPY_H_
#define LEVELFIELD_STORE_STORE_COPY_H_

#include <filesystem>
#include <string>
#include <utility>

#include "base/status.h"

namespace levelfield {

class StoreCopy {
 public:
  // Of the database at `path`: a directory, or a file with those beside it whose names begin with
  // its own ("bench.db-wal"). The copy lies in a new directory below `parent`, which is made if it
  // is not there. kUsage where there is no room, a link or a device among the files, or where
  // somebody changes them meanwhile; kInterrupted by SIGINT and SIGTERM.
  static StatusOr<StoreCopy> Make(const std::string& path, const std::string& parent);

  StoreCopy(StoreCopy&& other) noexcept;
  StoreCopy& operator=(StoreCopy&&) = delete;
  ~StoreCopy();  // Removes it.

  // What takes the place of `path`.
  const std::string& path() const { return path_; }

 private:
  explicit StoreCopy(std::filesystem::path directory) : directory_(std::move(directory)) {}
  Status Fill(const std::string& from);

  std::filesystem::path directory_;  // Ours; empty: moved from.
  std::string path_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_COPY_H_
