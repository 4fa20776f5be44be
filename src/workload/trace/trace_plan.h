// Which part of a trace (trace_file.h) to replay, and what is known about that part before anything
// runs. Plain data.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_PLAN_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_PLAN_H_

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "workload/trace/trace_file.h"

namespace levelfield {

struct TracePlan {
  bool loads = false;  // Puts what the operations will find, instead of doing them.
  std::string path = {};
  uint64_t most_records = 0;  // The first so many. 0: all.
  bool is_loaded = true;      // Reads find what they found when recorded, if that is known.
  double speed = 0;           // How many times as fast as recorded. 0: as fast as it can.

  // From here on, DescribeTrace's findings about those records.
  std::array<uint64_t, kTraceOperations> operations = {};
  uint64_t keys = 0;
  uint64_t loaded_keys = 0;
  uint64_t duration_ns = 0;     // From the first operation to the last one,
  uint64_t longest_gap_ns = 0;  // and between two neighbours.
  uint64_t largest_value = 0;   // The largest that is written or loaded, in bytes,
  uint64_t smallest_value = 0;
  uint64_t live_bytes = 0;  // and the sum of each key's largest.
  uint64_t key_bytes = 0;   // All operations' keys, as they were recorded.
  uint64_t expiring = 0;    // Operations with a time to live.
  TraceHeader header = {};

  uint64_t records() const {
    return std::accumulate(operations.begin(), operations.end(), uint64_t{0});
  }
  uint64_t of(TraceOperation operation) const { return operations[static_cast<size_t>(operation)]; }
  bool writes() const {
    return loads || records() != of(TraceOperation::kGet) + of(TraceOperation::kSeek);
  }
  // Operations a second of all threads together; at least one.
  uint64_t Rate() const;
  bool operator==(const TracePlan&) const = default;
};

// Whether the store needs the record's key before the replay, given that the record is the first
// with this key.
inline bool IsLoaded(const TraceRecord& first) {
  const bool writes =
      first.operation == TraceOperation::kPut || first.operation == TraceOperation::kErase;
  return !writes && !first.is_miss;
}

// Reads and so checks the trace at plan.path once and fills in the rest. Holds 4 bytes for each key
// meanwhile.
Status DescribeTrace(TracePlan& plan);

// A trace that is ready for replay, in memory before the clock starts: for each thread the
// operations on its keys, in the order in which they were recorded. A key belongs to one thread, so
// what a thread reads follows from what it did. Immutable once made; any thread may read it.
//
// The n-th key of a trace becomes the key at place n of a random order of as many of our keys. Keys
// that first appeared in succession are no neighbours, as they were not where keys are hashed.

struct TraceStep {
  uint64_t time_ns = 0;     // Since the first operation of the trace.
  uint32_t key = 0;         // Index.
  uint32_t value_size = 0;  // What it writes, or the entries that a seek reads,
  uint32_t version = 0;     // and which version of the key that is. 0: it writes nothing.
  TraceOperation operation = TraceOperation::kGet;
};
static_assert(sizeof(TraceStep) == 24);

class TraceSteps {
 public:
  // Makes the plan's steps or, with plan.loads, the steps that load the store for them. Versions
  // count from `first_version` on; each thread counts its own writes.
  static StatusOr<TraceSteps> Make(const TracePlan& plan, uint64_t threads, uint64_t layout_seed,
                                   uint32_t first_version);

  std::span<const TraceStep> Of(uint64_t thread) const { return of_threads_[thread]; }

 private:
  std::vector<std::vector<TraceStep>> of_threads_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_PLAN_H_
