// What came to a disk from the file system above it.
#ifndef LEVELFIELD_FILE_SYSTEM_DISK_TRAFFIC_H_
#define LEVELFIELD_FILE_SYSTEM_DISK_TRAFFIC_H_

#include <cstdint>

namespace levelfield {

struct DiskTraffic {
  uint64_t written_bytes = 0;
  uint64_t flushes = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_DISK_TRAFFIC_H_
