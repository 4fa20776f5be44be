// What the machine can do at best, measured beside a phase: nothing that a phase is said to have
// done may be beyond it. Plain data.
#ifndef LEVELFIELD_RESULT_CEILINGS_H_
#define LEVELFIELD_RESULT_CEILINGS_H_

#include <cstdint>
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

  bool operator==(const Ceilings&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CEILINGS_H_
