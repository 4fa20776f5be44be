// A file as a block device: the image file, and the loop device on it. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_
#define LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_

#include <cstdint>
#include <string>
#include <utility>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// A sparse file without a name, to make a block device from. Nothing of it is left once nobody has
// it open, however its users ended, unless it is given a name in the end.
class ImageFile {
 public:
  static StatusOr<ImageFile> Make(const std::string& directory, uint64_t bytes);

  const UniqueFd& fd() const { return fd_; }
  // The path must be free and on the same file system. Fails if that file system makes no files
  // without a name (overlay), because then this one cannot get one.
  Status Keep(const std::string& path) const;

 private:
  ImageFile(UniqueFd fd, bool can_be_named) : fd_(std::move(fd)), can_be_named_(can_be_named) {}

  UniqueFd fd_;
  bool can_be_named_;
};

// The traffic from the file system above to a disk.
struct DiskTraffic {
  uint64_t written_bytes = 0;
  uint64_t flushes = 0;
};

// The kernel releases the device when its last user is gone: this object, or the file system that
// is mounted on it, even after a kill -9.
class LoopDevice {
 public:
  // Empty if this process can use loop devices, else why not.
  static std::string WhyNot();
  // The device keeps the file open; `file` may be closed. With `direct_io` it bypasses the page
  // cache of the file's own file system, if possible (`has_direct_io`).
  static StatusOr<LoopDevice> Attach(const UniqueFd& file, bool direct_io = false);

  const std::string& path() const { return path_; }  // "/dev/loop3"
  bool has_direct_io() const;

  // Counted since the machine has had this device: take differences.
  DiskTraffic SoFar() const;

 private:
  LoopDevice(int number, UniqueFd fd);

  std::string path_;
  std::string counters_;  // The file in /sys with the counters.
  UniqueFd fd_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_
