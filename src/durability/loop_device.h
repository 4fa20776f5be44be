// A file as a block device. The kernel gives the device back when its last user is gone: this
// object, or the file system that is mounted on it, also after a kill -9. Used by one thread.
#ifndef LEVELFIELD_DURABILITY_LOOP_DEVICE_H_
#define LEVELFIELD_DURABILITY_LOOP_DEVICE_H_

#include <cstdint>
#include <string>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

class LoopDevice {
 public:
  // Empty where there are loop devices for this process, else why not.
  static std::string WhyNot();
  // The device keeps the file open; `file` may be closed.
  static StatusOr<LoopDevice> Attach(const UniqueFd& file);

  const std::string& path() const { return path_; }  // "/dev/loop3"

  // Since the machine has this device: take differences.
  struct Traffic {
    uint64_t written_bytes = 0;
    uint64_t flushes = 0;
  };
  Traffic SoFar() const;

 private:
  LoopDevice(int number, UniqueFd fd);

  std::string path_;
  std::string counters_;  // The file in /sys that has them.
  UniqueFd fd_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_LOOP_DEVICE_H_
