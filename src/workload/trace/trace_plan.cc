#include "workload/trace/trace_plan.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "workload/permutation.h"

namespace levelfield {
uint64_t TracePlan::Rate() const {
  const double seconds = static_cast<double>(duration_ns) * 1e-9 / std::max(speed, 1e-9);
  if (seconds <= 0) return std::max<uint64_t>(records(), 1);
  const double rate = static_cast<double>(records()) / seconds;
  return static_cast<uint64_t>(std::max(1.0, std::min(std::round(rate), 1e18)));
}

Status DescribeTrace(TracePlan& plan) {
  ASSIGN_OR_RETURN(TraceReader reader, TraceReader::Open(plan.path));
  plan.header = reader.header();
  const uint64_t most = plan.most_records != 0 ? plan.most_records : plan.header.records;
  std::vector<uint32_t> largest_of_key;
  uint64_t smallest = ~uint64_t{0};
  TraceRecord record;
  // Read to the end: only the end shows whether the file is whole.
  while (reader.Next(record)) {
    if (reader.records() > most) continue;
    ++plan.operations[static_cast<size_t>(record.operation)];
    plan.longest_gap_ns = std::max(plan.longest_gap_ns, record.time_ns - plan.duration_ns);
    plan.duration_ns = record.time_ns;
    plan.key_bytes += record.key_size;
    plan.expiring += record.ttl_seconds != 0 ? 1 : 0;
    if (reader.is_first_of_key()) largest_of_key.push_back(0);
    const bool is_loaded = plan.is_loaded && reader.is_first_of_key() && IsLoaded(record);
    plan.loaded_keys += is_loaded ? 1 : 0;
    const bool is_written =
        record.operation == TraceOperation::kPut || record.operation == TraceOperation::kModify;
    if (!is_written && !is_loaded) continue;
    uint32_t& largest = largest_of_key[record.key];
    largest = std::max(largest, record.value_size);
    smallest = std::min<uint64_t>(smallest, record.value_size);
  }
  if (!reader.status().ok()) return reader.status();
  plan.keys = largest_of_key.size();
  for (const uint32_t bytes : largest_of_key) {
    plan.live_bytes += bytes;
    plan.largest_value = std::max<uint64_t>(plan.largest_value, bytes);
  }
  plan.smallest_value = std::min(smallest, plan.largest_value);
  return Status::Ok();
}

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
    if (operation == TraceOperation::kSeek) step.value_size = record.entries;
    steps.of_threads_[thread].push_back(step);
  }
  if (!reader.status().ok()) return reader.status();
  return steps;
}

}  // namespace levelfield
