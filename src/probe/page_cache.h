// How much of a store the page cache has, and having it forget the store. No privilege is needed:
// the kernel drops clean pages of files that may be opened, unless somebody has them mapped.
#ifndef LEVELFIELD_PROBE_PAGE_CACHE_H_
#define LEVELFIELD_PROBE_PAGE_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace levelfield {

struct Residency {
  uint64_t file_bytes = 0;    // Allocated or not: lengths.
  uint64_t cached_bytes = 0;  // Of them, in whole pages.
};

// Of a directory, with what is in and below it, or of a file; by cachestat(2), or mincore(2) where
// the kernel is older than 6.5. Files that cannot be opened are left out.
Residency ResidencyOf(const std::string& path);

// Pages of such files that are not on the device yet, file by file, by their names below the path;
// those files alone that have any. Nothing where the kernel does not tell (cachestat, Linux 6.5).
std::optional<std::vector<std::pair<std::string, uint64_t>>> DirtyPagesOf(const std::string& path);

// Who reads them next waits for the disk, and is charged for the memory. Syncs the files first, as
// dirty pages stay; so does what is mapped.
void DropFromPageCache(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_PAGE_CACHE_H_
