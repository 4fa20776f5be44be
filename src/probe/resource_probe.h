// Takes snapshots of what this process has used; a phase owns the difference of two. Called by the
// worker's main thread before the first and after the last operation of a phase, never between.
#ifndef LEVELFIELD_PROBE_RESOURCE_PROBE_H_
#define LEVELFIELD_PROBE_RESOURCE_PROBE_H_

#include <string>
#include <string_view>

#include "probe/calls/sync_calls.h"
#include "probe/device_probe.h"
#include "result/resources.h"

namespace levelfield {

// The counters of /proc/self/io; nothing where one of them is missing.
std::optional<Resources::Io> ParseProcessIo(std::string_view text);
// Of this process, as it is now.
std::optional<Resources::Io> ProcessIo();
// Of /proc/self/status, and PSS of /proc/self/smaps_rollup, which may be empty.
std::optional<Resources::Memory> ParseMemory(std::string_view status, std::string_view rollup);

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

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_RESOURCE_PROBE_H_
