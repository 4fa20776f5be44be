#include "workload/trace/trace_steps.h"

#include "base/random.h"
#include "workload/permutation.h"

namespace levelfield {

StatusOr<TraceSteps> TraceSteps::Make(const TracePlan& plan, uint64_t threads, uint64_t layout_seed,
                                      uint32_t first_version) {
  ASSIGN_OR_RETURN(TraceReader reader, TraceReader::Open(plan.path));
  if (reader.header().checksum != plan.header.checksum ||
      reader.header().records != plan.header.records) {
    return Status::Failed("trace " + plan.path + ": is another one than when the run was planned");
  }
  TraceSteps steps;
  steps.of_threads_.resize(threads);
  for (std::vector<TraceStep>& of_thread : steps.of_threads_) {
    of_thread.reserve((plan.loads ? plan.loaded_keys : plan.records()) / threads + 1);
  }
  std::vector<uint32_t> written(threads, 0);
  const Permutation places(plan.keys, DeriveSeed(layout_seed, "trace", "", 0));
  TraceRecord record;
  for (uint64_t left = plan.records(); left > 0 && reader.Next(record); --left) {
    const bool is_first = reader.is_first_of_key();
    if (plan.loads && !(plan.is_loaded && is_first && IsLoaded(record))) continue;
    const uint64_t thread = record.key % threads;
    const TraceOperation operation = plan.loads ? TraceOperation::kPut : record.operation;
    TraceStep step{.time_ns = record.time_ns,
                   .key = static_cast<uint32_t>(places.At(record.key)),
                   .operation = operation};
    if (operation == TraceOperation::kPut || operation == TraceOperation::kModify) {
      step.value_size = record.value_size;
      step.version = first_version + written[thread]++;
    }
    steps.of_threads_[thread].push_back(step);
  }
  if (!reader.status().ok()) return reader.status();
  return steps;
}

}  // namespace levelfield
