// How much of the store's files the page cache had at a phase's begin and end. Plain data.
#ifndef LEVELFIELD_RESULT_PAGE_CACHE_SHARE_H_
#define LEVELFIELD_RESULT_PAGE_CACHE_SHARE_H_

#include <cstdint>

namespace levelfield {

struct PageCacheShare {
  bool was_dropped = false;  // Before the phase, with the store closed, as --cache=cold asks.
  uint64_t file_bytes = 0;   // At the begin; before the store was opened, where it was dropped.
  uint64_t cached_bytes = 0;
  uint64_t end_file_bytes = 0;
  uint64_t end_cached_bytes = 0;

  bool operator==(const PageCacheShare&) const = default;
};

// More than this of a store that is to be cold is not cold.
inline constexpr double kMostCachedOfCold = 0.01;

inline bool IsCold(const PageCacheShare& share) {
  return share.was_dropped && static_cast<double>(share.cached_bytes) <=
                                  kMostCachedOfCold * static_cast<double>(share.file_bytes);
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_PAGE_CACHE_SHARE_H_
