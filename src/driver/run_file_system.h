// A private file system for a run (--fs): freshly made for its store alone, and removed with it.
// Only this process and its children see the mount. The kernel removes it with them, even after a
// kill -9. The driver uses it from its one thread.
#ifndef LEVELFIELD_DRIVER_RUN_FILE_SYSTEM_H_
#define LEVELFIELD_DRIVER_RUN_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "file_system/loop_file_system.h"
#include "result/medium.h"
#include "settings/settings.h"

namespace levelfield {

class RunFileSystem {
 public:
  // Makes one with room for so much, on an image in `place`, which is made if it is missing.
  static StatusOr<RunFileSystem> Make(const Settings& settings, uint64_t needed_bytes,
                                      const std::string& place);

  const std::string& directory() const { return mounted_->directory(); }
  FileSystem InForce() const;

  // Unmounts it once nobody has a file open on it. Names the image if it is kept for inspection.
  Status End();
  Status EndAndKeep(const std::string& path);

 private:
  RunFileSystem(const Settings& settings, std::string place, uint64_t bytes,
                std::unique_ptr<LoopFileSystem> mounted);

  std::string kind_;
  std::string journal_place_;
  std::string place_;
  uint64_t bytes_;
  std::unique_ptr<LoopFileSystem> mounted_;
};

// The directory for images of runs: --db, or a directory of the results.
std::string PlaceOfImages(const Settings& settings, const std::string& results);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_FILE_SYSTEM_H_
