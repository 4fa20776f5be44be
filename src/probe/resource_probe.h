// Takes snapshots of what this process has used; a phase owns the difference of two. Called by the
// worker's main thread before the first and after the last operation of a phase, never between.
#ifndef LEVELFIELD_PROBE_RESOURCE_PROBE_H_
#define LEVELFIELD_PROBE_RESOURCE_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/calls/sync_calls.h"
#include "result/resources.h"

namespace levelfield {

// The counters of /proc/self/io; nothing where one of them is missing.
std::optional<Resources::Io> ParseProcessIo(std::string_view text);
// Those of this process, as they are now.
std::optional<Resources::Io> ProcessIo();
// From /proc/self/status, and PSS from /proc/self/smaps_rollup, which may be empty.
std::optional<Resources::Memory> ParseMemory(std::string_view status, std::string_view rollup);

// From /sys/dev/block/<major>:<minor>/stat, whose sectors have 512 bytes on any device.
std::optional<Resources::Device> ParseDeviceStat(std::string_view text);

// Counts what comes to the block devices below a path, whoever uses them: bytes, writes, and
// flushes of their caches. Any thread may call.
class DeviceProbe {
 public:
  // `path` is on the file system of the store.
  explicit DeviceProbe(const std::string& path);

  // Since each device is there; nothing where the path is on none.
  std::optional<Resources::Device> Now() const;

 private:
  std::vector<std::string> device_stats_;  // Paths, of the devices of the file system.
  // For the whole disks below, whose counters tell flushes: none is counted for a partition, nor
  // for a device that is made of several disks.
  std::vector<std::string> disk_stats_;
};

// What came between two readings.
std::optional<Resources::Device> DevicesSince(const std::optional<Resources::Device>& before,
                                              const std::optional<Resources::Device>& after);

class ResourceProbe {
 public:
  // `path` is on the file system of the store.
  explicit ResourceProbe(const std::string& path);

  // Begins a phase: from here on the peak counts anew, where the kernel lets it.
  void Begin();
  // What was used since then. `watcher_seconds` is the CPU of the calling thread. Without memory,
  // whose count walks through all that is mapped.
  Resources Used() const;
  // The same with memory.
  Resources End() const;
  // What the device has done since then.
  std::optional<Resources::Device> DeviceSinceBegin() const;

 private:
  Resources Snapshot() const;

  DeviceProbe devices_;
  Resources before_;
  SyncCalls syncs_before_;
};

// An engine's own counters by name, as Store::Counters() gives them.
using EngineCounters = std::vector<std::pair<std::string, uint64_t>>;

// The counters of `after`, each without what it was before; one that has fallen meanwhile is 0, and
// one that was not there is taken whole.
EngineCounters CountersSince(const EngineCounters& before, EngineCounters after);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_RESOURCE_PROBE_H_
