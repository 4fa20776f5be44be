// The files of a store, whoever made it: a directory, or a file together with its neighbours whose
// names begin with its own ("bench.db-wal"). Tells how much space they take and who has them open,
// and copies them.
#ifndef LEVELFIELD_STORE_STORE_FILES_H_
#define LEVELFIELD_STORE_STORE_FILES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "base/status.h"

namespace levelfield {

// Looks after the files of a store while a worker has it open. The supervisor calls it, from one
// thread.
class StoreFiles {
 public:
  virtual ~StoreFiles() = default;
  // Removes what the store holds.
  virtual Status Wipe() = 0;
  // The space that its files take on the disk: allocated blocks, not lengths.
  virtual StatusOr<uint64_t> AllocatedBytes() const = 0;
};

// Somebody else's store, or one of ours that is only read: never emptied.
class ForeignStore : public StoreFiles {
 public:
  explicit ForeignStore(std::string path) : path_(std::move(path)) {}

  Status Wipe() override;
  StatusOr<uint64_t> AllocatedBytes() const override;

 private:
  std::string path_;
};

// Whether another program has the store open: kUsage names the process and the file. Some engines
// lock their files and some do not. (A second opener breaks Berkeley DB's private environments
// without notice.) So the harness asks the kernel before it lets any engine near a store that it
// did not just make. It does not see processes outside of its own container or, unless it is root,
// those of other users. This process does not count. Reads /proc, which takes some milliseconds.
Status CheckNobodyUses(const std::string& database);

// A copy of a store that nobody has open, to look at instead of the store itself: engines lock,
// recover and write to what they open, even to read it. If the file system can, a copy shares its
// blocks with the original and takes no space.
class StoreCopy {
 public:
  // Makes the copy in a new directory below `parent`, which is made if it is missing. kUsage if
  // there is no room, if a link or a device is among the files, or if somebody changes them
  // meanwhile; kInterrupted after SIGINT and SIGTERM.
  static StatusOr<StoreCopy> Make(const std::string& path, const std::string& parent);

  StoreCopy(StoreCopy&& other) noexcept;
  StoreCopy& operator=(StoreCopy&&) = delete;
  ~StoreCopy();  // Removes it.

  // Use it in place of `path`.
  const std::string& path() const { return path_; }

 private:
  explicit StoreCopy(std::filesystem::path directory) : directory_(std::move(directory)) {}
  Status Fill(const std::string& from);

  std::filesystem::path directory_;  // Ours; empty: moved from.
  std::string path_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_FILES_H_
