// A file as a block device: the image file, and the loop device on it. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_
#define LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// A sparse file without a name, for a block device to be made of: nothing of it is left when nobody
// has it open, whatever way its users ended, unless it is given a name in the end.
class ImageFile {
 public:
  static StatusOr<ImageFile> Make(const std::string& directory, uint64_t bytes);

  const UniqueFd& fd() const { return fd_; }
  // The path, which nothing is at, has to be on the same file system. Fails where that file system
  // makes no files without a name (overlay), as this one then cannot get one.
  Status Keep(const std::string& path) const;

 private:
  ImageFile(UniqueFd fd, bool can_be_named) : fd_(std::move(fd)), can_be_named_(can_be_named) {}

  UniqueFd fd_;
  bool can_be_named_;
};

// What came to a disk from the file system above it.
struct DiskTraffic {
  uint64_t written_bytes = 0;
  uint64_t flushes = 0;
};

// The kernel gives the device back when its last user is gone: this object, or the file system that
// is mounted on it, also after a kill -9.
class LoopDevice {
 public:
  // Empty where there are loop devices for this process, else why not.
  static std::string WhyNot();
  // The device keeps the file open; `file` may be closed. With `direct_io` it goes past the page
  // cache of the file's own file system, where that can be had (`has_direct_io`).
  static StatusOr<LoopDevice> Attach(const UniqueFd& file, bool direct_io = false);

  const std::string& path() const { return path_; }  // "/dev/loop3"
  bool has_direct_io() const;

  // Since the machine has this device: take differences.
  DiskTraffic SoFar() const;

 private:
  LoopDevice(int number, UniqueFd fd);

  std::string path_;
  std::string counters_;  // The file in /sys that has them.
  UniqueFd fd_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_
