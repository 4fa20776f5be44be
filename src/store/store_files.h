// The files of a store, whoever made it: a directory, or a file with those beside it whose names
// begin with its own ("bench.db-wal"). How much space they take, who has them open, and a copy of
// them.
#ifndef LEVELFIELD_STORE_STORE_FILES_H_
#define LEVELFIELD_STORE_STORE_FILES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "base/status.h"

namespace levelfield {

// Looks after the files of a store while a worker has it open. Called by the supervisor, from one
// thread.
class StoreFiles {
 public:
  virtual ~StoreFiles() = default;
  // Removes what the store holds.
  virtual Status Wipe() = 0;
  // Space that its files take on the disk: allocated blocks, not lengths.
  virtual StatusOr<uint64_t> AllocatedBytes() const = 0;
};

// Somebody else's store, or one of ours that nothing is written to: never emptied.
class ForeignStore : public StoreFiles {
 public:
  explicit ForeignStore(std::string path) : path_(std::move(path)) {}

  Status Wipe() override;
  StatusOr<uint64_t> AllocatedBytes() const override;

 private:
  std::string path_;
};

// Whether another program has the store open: kUsage that names the process and the file. Some
// engines lock their files and some do not (Berkeley DB's private environments are broken by a
// second opener, and nobody is told), so the harness asks the kernel before it lets any engine near
// a store that it did not just make. It cannot see processes of other users, where it is not root,
// and those outside of its own container. This process does not count. Reads /proc, some
// milliseconds.
Status CheckNobodyUses(const std::string& database);

// A copy of a store that nobody has open, to look at in place of the store itself: engines lock,
// recover and write to what they open, even to read it. On file systems that can, a copy shares its
// blocks with the original and takes no space.
class StoreCopy {
 public:
  // The copy lies in a new directory below `parent`, which is made if it is not there. kUsage where
  // there is no room, a link or a device among the files, or where somebody changes them meanwhile;
  // kInterrupted by SIGINT and SIGTERM.
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

#endif  // LEVELFIELD_STORE_STORE_FILES_H_
