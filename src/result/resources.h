// What a phase took of the machine: the difference of two snapshots of the worker's process
// (probe/resource_probe.h), all its threads together, the engine's own included. Plain data.
#ifndef LEVELFIELD_RESULT_RESOURCES_H_
#define LEVELFIELD_RESULT_RESOURCES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
    bool operator==(const Io&) const = default;
  };
  std::optional<Io> io;
  // Of the whole block devices that the store is on, whoever used them; absent where it is on none.
  struct Device {
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    // Times their caches were flushed, and writes that came to them. Absent where the kernel does
    // not count that; the writes also in older results.
    std::optional<uint64_t> flushes = {};
    std::optional<uint64_t> writes = {};
    bool operator==(const Device&) const = default;
  };
  std::optional<Device> device;
  // CPU of the threads that ran the operations, the engine's calls included, and of the one that
  // watched over them; the rest of the process is the engine's own threads. Both absent in results
  // older than 1.3.
  std::optional<double> foreground_seconds;
  std::optional<double> watcher_seconds;
  // What the process has resident when the operations are over; absent where the kernel does not
  // tell. A map of a file counts as file, whoever else has it mapped; `proportional` shares it out.
  struct Memory {
    uint64_t anonymous_bytes = 0;
    uint64_t file_bytes = 0;
    uint64_t shared_bytes = 0;        // tmpfs and shared anonymous memory.
    uint64_t proportional_bytes = 0;  // PSS, of all three; 0: the kernel does not tell.
    bool operator==(const Memory&) const = default;
  };
  std::optional<Memory> memory;
  // fsync and its like (probe/calls/sync_calls.h), and how long threads waited in them, all
  // together.
  struct Syncs {
    uint64_t calls = 0;
    double waited_seconds = 0;
    uint64_t synced_files = 0;  // Open ones each write to which is a sync by itself (O_DSYNC).
    // How often by kind (result/sync_kinds.h), those of which there were any, with the writes that
    // are synced by themselves. Absent in results older than this member.
    std::optional<std::vector<std::pair<std::string, uint64_t>>> kinds = {};
    bool operator==(const Syncs&) const = default;
  };
  std::optional<Syncs> syncs;
  // Of the device, from the begin of the operations until the store's files were synced behind
  // them: what the page cache still owed is in it. Of phases that write.
  std::optional<Device> synced_device;

  bool operator==(const Resources&) const = default;

  // Of the engine's own threads: flushes, compactions, checkpoints.
  std::optional<double> BackgroundSeconds() const {
    if (!foreground_seconds || !watcher_seconds) return std::nullopt;
    const double rest = user_seconds + system_seconds - *foreground_seconds - *watcher_seconds;
    return rest > 0 ? rest : 0;  // The clocks of a thread and of the process differ by a little.
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESOURCES_H_
