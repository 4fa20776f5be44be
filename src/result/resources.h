// What a phase took of the machine: the difference of two snapshots of the worker's process
// (run/resource_probe.h), all its threads together, the engine's own included. Plain data.
#ifndef LEVELFIELD_RESULT_RESOURCES_H_
#define LEVELFIELD_RESULT_RESOURCES_H_

#include <cstdint>
#include <optional>

namespace levelfield {

struct Resources {
  double user_seconds = 0;
  double system_seconds = 0;
  uint64_t peak_resident_bytes = 0;  // The most at any time of it; of a map, what is in memory.
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;  // Those that waited for the disk.
  uint64_t voluntary_switches = 0;
  uint64_t involuntary_switches = 0;
  // Of the process, by /proc/self/io; absent where that cannot be read. A call's bytes may come
  // from the page cache; what is read through a memory map is in no call.
  struct Io {
    uint64_t read_call_bytes = 0;
    uint64_t write_call_bytes = 0;
    uint64_t storage_read_bytes = 0;  // That had to be fetched.
    uint64_t dirtied_bytes = 0;       // Pages that were made dirty, less those dropped unwritten.
  };
  std::optional<Io> io;
  // Of the whole block device that the store is on, whoever used it; absent where it is on none.
  struct Device {
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
  };
  std::optional<Device> device;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESOURCES_H_
