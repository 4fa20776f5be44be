// Takes snapshots of what this process has used, and those that work for the engine beside it; a
// phase owns the difference of two. The worker's
// main thread calls it before the first and after the last operation of a phase, never between.
#ifndef LEVELFIELD_PROBE_RESOURCE_PROBE_H_
#define LEVELFIELD_PROBE_RESOURCE_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process_tree.h"
#include "probe/calls/sync_calls.h"
#include "result/resources.h"

namespace levelfield {

// The counters of /proc/self/io; nothing if one of them is missing.
std::optional<Resources::Io> ParseProcessIo(std::string_view text);
// This process's counters now.
std::optional<Resources::Io> ProcessIo();
// From /proc/self/status, and PSS from /proc/self/smaps_rollup, which may be empty.
std::optional<Resources::Memory> ParseMemory(std::string_view status, std::string_view rollup);

// From /sys/dev/block/<major>:<minor>/stat, whose sectors have 512 bytes on any device.
std::optional<Resources::Device> ParseDeviceStat(std::string_view text);

// Counts the traffic of the block devices below a path, whoever uses them: bytes, writes, and cache
// flushes. Any thread may call.
class DeviceProbe {
 public:
  // `path` is on the file system of the store.
  explicit DeviceProbe(const std::string& path);

  // Counted since each device exists; nothing if the path is on none.
  std::optional<Resources::Device> Now() const;

 private:
  std::vector<std::string> device_stats_;  // Paths, for the devices of the file system.
  // For the whole disks below, whose counters include flushes: a partition counts none, nor does a
  // device that is made of several disks.
  std::vector<std::string> disk_stats_;
};

// The difference of two readings.
std::optional<Resources::Device> DevicesSince(const std::optional<Resources::Device>& before,
                                              const std::optional<Resources::Device>& after);

class ResourceProbe {
 public:
  // `path` is on the file system of the store.
  explicit ResourceProbe(const std::string& path);

  // From here on these are counted as well, with all that they start.
  void Include(std::vector<ProcessId> others) { others_ = std::move(others); }
  // Begins a phase: from here on the peak counts anew, if the kernel allows it.
  void Begin();
  // What was used since Begin, except memory, because counting that walks through all maps.
  // `watcher_seconds` is the CPU time of the calling thread.
  Resources Used() const;
  // The same with memory.
  Resources End() const;
  // What the device has done since Begin.
  std::optional<Resources::Device> DeviceSinceBegin() const;

 private:
  Resources Snapshot() const;

  DeviceProbe devices_;
  std::vector<ProcessId> others_;
  Resources before_;
  SyncCalls syncs_before_;
};

// An engine's own counters by name, as Store::Counters() gives them.
using EngineCounters = std::vector<std::pair<std::string, uint64_t>>;

// The counters of `after`, each less its value before. A counter that has fallen is 0, and a new
// one counts whole.
EngineCounters CountersSince(const EngineCounters& before, EngineCounters after);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_RESOURCE_PROBE_H_
