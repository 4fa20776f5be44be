// What is to be replayed of a trace (trace_file.h), and what is known of that before anything runs.
// Plain data.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_PLAN_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_PLAN_H_

#include <array>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "workload/trace/trace_file.h"

namespace levelfield {

struct TracePlan {
  bool loads = false;  // Puts what the operations find, instead of doing them.
  std::string path = {};
  uint64_t most_records = 0;  // The first so many. 0: all.
  bool is_loaded = true;      // Reads find what they found when they were recorded, if it is known.
  double speed = 0;           // Times as fast as they were recorded. 0: as fast as it can.

  // From here on what DescribeTrace found, in those records.
  std::array<uint64_t, kTraceOperations> operations = {};
  uint64_t keys = 0;
  uint64_t loaded_keys = 0;
  uint64_t duration_ns = 0;     // From the first operation to the last one,
  uint64_t longest_gap_ns = 0;  // and between two neighbours.
  uint64_t largest_value = 0;   // Of those that are written or loaded, in bytes,
  uint64_t smallest_value = 0;
  uint64_t live_bytes = 0;  // and the sum of each key's largest.
  uint64_t key_bytes = 0;   // Of all operations' keys, as they were recorded.
  uint64_t expiring = 0;    // Operations with a time to live.
  TraceHeader header = {};

  uint64_t records() const { return operations[0] + operations[1] + operations[2] + operations[3]; }
  uint64_t of(TraceOperation operation) const { return operations[static_cast<size_t>(operation)]; }
  bool writes() const { return loads || records() != of(TraceOperation::kGet); }
  // Operations a second, all threads together; at least one.
  uint64_t Rate() const;
};

// Whether the store has to have the record's key before it is replayed, given that it is the first
// one of its key.
inline bool IsLoaded(const TraceRecord& first) {
  const bool reads =
      first.operation == TraceOperation::kGet || first.operation == TraceOperation::kModify;
  return reads && !first.is_miss;
}

// Reads the trace at plan.path once, which checks it, and fills in the rest; 4 bytes for each key
// are held meanwhile.
Status DescribeTrace(TracePlan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_PLAN_H_
