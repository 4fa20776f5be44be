// Whether the devices below a directory still have something to do: flushes, write-back, reads.
#ifndef LEVELFIELD_PROBE_DEVICE_QUEUE_H_
#define LEVELFIELD_PROBE_DEVICE_QUEUE_H_

#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace levelfield {

class DeviceQueue {
 public:
  // Of none: never busy. `root` stands before /proc and /sys; empty: this machine's.
  explicit DeviceQueue(const std::string& directory, const std::string& root = "");

  // Never where the directory is on no block device that can be seen.
  bool IsBusy() const;

 private:
  std::vector<UniqueFd> in_flight_;  // Of each device: its reads and writes.
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_DEVICE_QUEUE_H_
