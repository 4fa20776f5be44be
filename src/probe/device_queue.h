// Whether the devices below a directory still have something to do: flushes, write-back, reads.
#ifndef LEVELFIELD_PROBE_DEVICE_QUEUE_H_
#define LEVELFIELD_PROBE_DEVICE_QUEUE_H_

#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace levelfield {

class DeviceQueue {
 public:
  // Without devices it is never busy. `root` stands before /proc and /sys; empty: this machine's.
  explicit DeviceQueue(const std::string& directory, const std::string& root = "");

  // Never busy if the directory is on no visible block device.
  bool IsBusy() const;

 private:
  std::vector<UniqueFd> in_flight_;  // For each device: its reads and writes under way.
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_DEVICE_QUEUE_H_
