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
  // One that has room for so much, on an image in `place`, which is made where it is missing.
  static StatusOr<RunFileSystem> Make(const Settings& settings, uint64_t needed_bytes,
                                      const std::string& place);

  const std::string& directory() const { return mounted_->directory(); }
  FileSystem InForce() const;

  // Unmounts it, when nobody has a file of it open any more; and gives the image a name where it is
  // to be looked at.
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

// Where the images of runs lie: --db, or a directory of the results.
std::string PlaceOfImages(const Settings& settings, const std::string& results);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_FILE_SYSTEM_H_
