// The pages of a store's files: counts how many are in the page cache, writes them to the device,
// and drops them from the cache. This needs no privilege: the kernel drops clean pages of files
// that we may open, unless a program has them mapped.
//
// A path is a file, or a directory with everything below it.
#ifndef LEVELFIELD_PROBE_PAGE_CACHE_H_
#define LEVELFIELD_PROBE_PAGE_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace levelfield {

struct Residency {
  uint64_t file_bytes = 0;    // Lengths, allocated or not.
  uint64_t cached_bytes = 0;  // How many of these are in the cache, in whole pages.
};

// By cachestat(2), or mincore(2) on kernels older than 6.5. Leaves out files that cannot be opened.
Residency ResidencyOf(const std::string& path);

// The pages that are not on the device yet, for each file that has any, by its name below the path.
// Nothing if the kernel does not tell (cachestat, Linux 6.5).
std::optional<std::vector<std::pair<std::string, uint64_t>>> DirtyPagesOf(const std::string& path);

// Writes these files, and no others, to the device. Afterwards the device owes the store nothing,
// and its counters include all of the store's writes. A file that disappears meanwhile needs no
// sync.
Status SyncFiles(const std::string& path);

// The next reader waits for the disk, and is charged for the memory. Syncs the files first, because
// dirty pages stay; mapped ones stay anyway.
void DropFromPageCache(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_PAGE_CACHE_H_
