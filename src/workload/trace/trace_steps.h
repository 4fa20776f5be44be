// A trace made ready to be replayed: for each thread the operations of its keys, in the order in
// which they were recorded, in memory before the clock starts. A key belongs to one thread, so what
// a thread reads follows from what it did. Immutable once made; any thread may read it.
//
// The n-th key of a trace is the one at place n of a random order of as many keys of ours: those
// that appeared one after the other are no neighbours, as they were not where keys are hashed.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_STEPS_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_STEPS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "workload/trace/trace_plan.h"

namespace levelfield {

struct TraceStep {
  uint64_t time_ns = 0;     // Since the first operation of the trace.
  uint32_t key = 0;         // Index.
  uint32_t value_size = 0;  // Of what it writes,
  uint32_t version = 0;     // and which version of the key that is. 0: it writes nothing.
  TraceOperation operation = TraceOperation::kGet;
};
static_assert(sizeof(TraceStep) == 24);

class TraceSteps {
 public:
  // Those of the plan, or of plan.loads what loads the store for them. What is written has versions
  // from `first_version` on, each thread counting its own writes.
  static StatusOr<TraceSteps> Make(const TracePlan& plan, uint64_t threads, uint64_t layout_seed,
                                   uint32_t first_version);

  std::span<const TraceStep> Of(uint64_t thread) const { return of_threads_[thread]; }

 private:
  std::vector<std::vector<TraceStep>> of_threads_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_STEPS_H_
