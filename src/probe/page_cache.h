// The pages of a store's files: how many of them the page cache has, having them written to the
// device, and having the cache forget them. No privilege is needed: the kernel drops clean pages of
// files that may be opened, unless somebody has them mapped.
//
// A path is a directory, with what is in and below it, or a file.
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
  uint64_t file_bytes = 0;    // Allocated or not: lengths.
  uint64_t cached_bytes = 0;  // How many of these the cache has, in whole pages.
};

// By cachestat(2), or mincore(2) where the kernel is older than 6.5. Files that cannot be opened
// are left out.
Residency ResidencyOf(const std::string& path);

// Pages of such files that are not on the device yet, file by file, by their names below the path;
// those files alone that have any. Nothing where the kernel does not tell (cachestat, Linux 6.5).
std::optional<std::vector<std::pair<std::string, uint64_t>>> DirtyPagesOf(const std::string& path);

// Has these files written to the device, and no others: after it the device owes the store nothing,
// and its counters have all that the store's writes came to. A file that goes away meanwhile needs
// no sync.
Status SyncFiles(const std::string& path);

// Who reads them next waits for the disk, and is charged for the memory. Syncs the files first, as
// dirty pages stay; so does what is mapped.
void DropFromPageCache(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_PAGE_CACHE_H_
