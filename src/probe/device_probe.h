// Counts what comes to the block devices below a path, whoever uses them: bytes, writes, and
// flushes of their caches. Any thread may call.
#ifndef LEVELFIELD_PROBE_DEVICE_PROBE_H_
#define LEVELFIELD_PROBE_DEVICE_PROBE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "result/resources.h"

namespace levelfield {

// Of /sys/dev/block/<major>:<minor>/stat, whose sectors have 512 bytes on any device.
std::optional<Resources::Device> ParseDeviceStat(std::string_view text);

class DeviceProbe {
 public:
  // `path` is on the file system of the store.
  explicit DeviceProbe(const std::string& path);

  // Since each device is there; nothing where the path is on none.
  std::optional<Resources::Device> Now() const;

 private:
  std::vector<std::string> device_stats_;  // Paths, of the devices of the file system.
  // Of the whole disks below, whose counters tell flushes: none is counted for a partition, nor for
  // what is made of several disks.
  std::vector<std::string> disk_stats_;
};

// What came between two readings.
std::optional<Resources::Device> DevicesSince(const std::optional<Resources::Device>& before,
                                              const std::optional<Resources::Device>& after);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_DEVICE_PROBE_H_
