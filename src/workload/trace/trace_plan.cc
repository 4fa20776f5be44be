#include "workload/trace/trace_plan.h"

#include <algorithm>
#include <cmath>
#include <vector>

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
  // All of it is read, as only the end shows whether it is whole.
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

}  // namespace levelfield
