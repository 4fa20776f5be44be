// The counts of one thread's operations of one kind. The loop fills one set, the replay computes
// another, and they must be equal.
#ifndef LEVELFIELD_LOOP_OPERATION_COUNTS_H_
#define LEVELFIELD_LOOP_OPERATION_COUNTS_H_

#include <cstdint>

namespace levelfield {

struct OperationCounts {
  uint64_t operations = 0;  // Keys asked for or written; entries scanned.
  uint64_t hits = 0;        // Operations that returned or accepted an entry.
  uint64_t misses = 0;      // Answers "not found".
  uint64_t bytes = 0;       // Key and value bytes of the hits.
  uint64_t digest = 0;      // Over every byte that was read; workload/digest.h.
  uint64_t wrong = 0;       // Values that do not belong to their key, if the loop itself checks.

  bool operator==(const OperationCounts&) const = default;

  OperationCounts& operator+=(const OperationCounts& other) {
    operations += other.operations;
    hits += other.hits;
    misses += other.misses;
    bytes += other.bytes;
    digest += other.digest;
    wrong += other.wrong;
    return *this;
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_OPERATION_COUNTS_H_
