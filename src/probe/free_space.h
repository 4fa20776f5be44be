// Is there room for a run before it starts? An engine that fills the disk dies in ways that are its
// own, and takes the machine's other programs with it (reliability rule R20). Any thread may call.
#ifndef LEVELFIELD_PROBE_FREE_SPACE_H_
#define LEVELFIELD_PROBE_FREE_SPACE_H_

#include <cstdint>
#include <string>

#include "base/status.h"

namespace levelfield {

struct FreeSpace {
  uint64_t free_bytes = 0;   // What this user may still write.
  uint64_t total_bytes = 0;  // Size of the file system.
  uint64_t free_files =
      0;  // Inodes; the greatest number where the file system does not count them.
};

// Of the file system that `path` is on, or would be on: its deepest existing directory counts.
StatusOr<FreeSpace> FreeSpaceAt(const std::string& path);

// For logs and side files that a store has however small it is.
inline constexpr uint64_t kSpaceSlackBytes = 256 << 20;

// What a run takes on the disk: the logical bytes times the engine's factor, which its plug-in
// declares (its fact "space_factor"), two write buffers and the slack.
uint64_t NeededBytes(uint64_t logical_bytes, double factor, uint64_t write_buffer_bytes);

// The files that so many bytes may be in: the tables of LevelDB have 2 MiB, the least of all.
uint64_t FilesOf(uint64_t bytes);

// kUsage when `needed_bytes` do not fit, or would leave less than a twentieth of the file system
// free: below that, engines that map their files have to be stopped in flight. And where fewer
// inodes are free than their files need.
Status CheckFreeSpace(const std::string& path, uint64_t needed_bytes);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_FREE_SPACE_H_
