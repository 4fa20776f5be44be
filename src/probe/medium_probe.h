// What lies under a path, all the way down: whether anything written there can survive a power cut,
// what is doubtful, and which devices count their traffic. Checked before a phase that writes.
#ifndef LEVELFIELD_PROBE_MEDIUM_PROBE_H_
#define LEVELFIELD_PROBE_MEDIUM_PROBE_H_

#include <string>
#include <string_view>
#include <vector>

#include "result/environment/mounts.h"
#include "result/medium.h"

namespace levelfield {

struct Storage {
  Medium medium;
  // In /sys: the devices of the file system, and the disks that count their traffic.
  std::vector<std::string> devices = {};
  std::vector<std::string> disks = {};
};

// An overlay is as good as its upper directory's medium, a loop device as what its file is really
// on, whatever is at the file's name now, and a group of devices as the worst of them. `journal` is
// the directory or the block device of the journal of the path's file system; empty: inside it.
// `root` stands before /proc, /sys and the paths in them; empty: this machine's.
Storage StorageOf(const std::string& path, const std::string& journal = "",
                  const std::string& root = "");
Medium MediumOf(const std::string& path, const std::string& journal = "");

// The verdict from the kind of a file system and its options alone. Pure.
Medium JudgeMount(const Mount& mount);

// The library preloaded into this process that turns syncs off (libeatmydata): its path, or empty.
// `maps` is /proc/self/maps.
std::string SyncEaterIn(std::string_view maps);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MEDIUM_PROBE_H_
