// What lies under a path, all the way down: whether anything written there can survive a power cut,
// what is to be doubted, and which devices can be asked what came to them. Looked at before a phase
// that writes.
#ifndef LEVELFIELD_PROBE_MEDIUM_PROBE_H_
#define LEVELFIELD_PROBE_MEDIUM_PROBE_H_

#include <string>
#include <string_view>
#include <vector>

#include "result/environment/mounts.h"
#include "result/medium.h"

namespace levelfield {

struct Storage {
  Medium medium = {.unverifiable_because = ""};
  // In /sys: those that the file system is on, and the disks whose counters tell what came to them.
  std::vector<std::string> devices = {};
  std::vector<std::string> disks = {};
};

// An overlay is what its upper directory is on, a loop device what its file is on, and what is made
// of several devices is worth no more than the worst of them. `journal` is the directory or the
// block device that the journal of the path's file system is on; empty: that one itself. `root`
// stands before /proc, /sys and the paths that are named there; empty: this machine's.
Storage StorageOf(const std::string& path, const std::string& journal = "",
                  const std::string& root = "");
Medium MediumOf(const std::string& path, const std::string& journal = "");

// What the kind of a file system and its options alone tell. Pure.
Medium JudgeMount(const Mount& mount);

// The library preloaded into this process that has syncs do nothing (libeatmydata): its path, or
// empty. `maps` is /proc/self/maps.
std::string SyncEaterIn(std::string_view maps);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MEDIUM_PROBE_H_
