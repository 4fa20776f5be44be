// What the machine can do at best, measured beside a phase: nothing that a phase is said to have
// done may be beyond it. Plain data.
#ifndef LEVELFIELD_RESULT_CEILINGS_H_
#define LEVELFIELD_RESULT_CEILINGS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace levelfield {

struct Ceilings {
  // memcpy of one thread, of a block that fits its nearest cache.
  double copy_bytes_per_second = 0;
  // Appends of 4 KiB, each with an fdatasync, on the store's file system; 0: not tried, as the
  // phase has not to survive power cuts.
  uint64_t syncs = 0;
  double least_sync_seconds = 0;
  double median_sync_seconds = 0;
  double most_sync_seconds = 0;
  // The same of 4 KiB that are there already, written anew in place: what a store that recycles its
  // log has to pay. 0: not tried, or older than these members.
  uint64_t overwrites = 0;
  double least_overwrite_seconds = 0;
  double median_overwrite_seconds = 0;
  // What came to the device during all of those; absent where that was not counted, or older than
  // these members.
  std::optional<uint64_t> device_flushes = {};
  std::optional<uint64_t> device_writes = {};

  bool operator==(const Ceilings&) const = default;
};

// Of both kinds; 0: not tried. A log that is recycled is overwritten in place, which may take less
// than an append.
inline double FastestSyncSeconds(const Ceilings& ceilings) {
  return ceilings.overwrites == 0
             ? ceilings.least_sync_seconds
             : std::min(ceilings.least_sync_seconds, ceilings.least_overwrite_seconds);
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CEILINGS_H_
