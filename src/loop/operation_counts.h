// What one thread's operations of one kind came to. The loop fills one, the replay computes
// another, and they have to be equal.
#ifndef LEVELFIELD_LOOP_OPERATION_COUNTS_H_
#define LEVELFIELD_LOOP_OPERATION_COUNTS_H_

#include <cstdint>

namespace levelfield {

struct OperationCounts {
  uint64_t operations = 0;  // Keys that were asked for or written; entries that were scanned.
  uint64_t hits = 0;        // Operations that gave or took an entry.
  uint64_t misses = 0;      // Answers "not found".
  uint64_t bytes = 0;       // Key and value bytes of the hits.
  uint64_t digest = 0;      // Of every byte that was read; workload/digest.h.
  uint64_t wrong = 0;  // Values that did not belong to their key, where the loop itself checks.

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
