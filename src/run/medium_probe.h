// What lies under a path: whether anything written there can survive a power cut, and what is to be
// doubted. Looked at before a phase whose class says so.
#ifndef LEVELFIELD_RUN_MEDIUM_PROBE_H_
#define LEVELFIELD_RUN_MEDIUM_PROBE_H_

#include <string>
#include <string_view>
#include <vector>

#include "result/medium.h"
#include "result/mounts.h"

namespace levelfield {

// `journal` is the directory or the block device that the journal of its file system is on; empty:
// that one itself. What is on a loop device is worth no more than what the device's file is on.
Medium MediumOf(const std::string& path, const std::string& journal = "");

// The same of what is known already. `write_cache` is the device's, as the kernel has it. Pure.
Medium JudgeMedium(const std::vector<Mount>& mounts, const std::string& path,
                   std::string_view write_cache);

// The library preloaded into this process that has syncs do nothing (libeatmydata): its path, or
// empty. `maps` is /proc/self/maps.
std::string SyncEaterIn(std::string_view maps);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_MEDIUM_PROBE_H_
