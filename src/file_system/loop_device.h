// A file as a block device. The kernel gives the device back when its last user is gone: this
// object, or the file system that is mounted on it, also after a kill -9. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_
#define LEVELFIELD_FILE_SYSTEM_LOOP_DEVICE_H_

#include <string>

#include "base/status.h"
#include "base/unique_fd.h"
#include "file_system/disk_traffic.h"

namespace levelfield {

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
