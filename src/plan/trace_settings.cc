#include "plan/trace_settings.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "workload/expected_state.h"

namespace levelfield {
namespace {

Status CheckFlags(const std::string& name, const Settings& settings) {
  if (settings.trace.empty()) {
    return Status::Usage(fmt::format(
        "{}: replays which trace? Say --trace=<file>; `levelfield trace convert` makes one of a "
        "recording (not of RocksDB's own traces, which its db_bench replays)",
        name));
  }
  if (settings.use_existing_db) {
    return Status::Usage(
        fmt::format("--use_existing_db: {} begins with the keys that the trace finds; let it load "
                    "a store of its own",
                    name));
  }
  if (settings.trace_speed == 0) return Status::Ok();
  if (!settings.rate.empty() || !settings.slo.empty()) {
    return Status::Usage(fmt::format(
        "--trace_speed={}: operations are due when they were recorded, and --rate or --slo say "
        "otherwise; leave one of them out",
        settings.trace_speed));
  }
  if (!settings.histogram) {
    return Status::Usage(
        "--histogram=0 with --trace_speed: an open loop is there for its latencies, and reads the "
        "clock for each operation; leave one of them out");
  }
  return Status::Ok();
}

Status CheckTrace(const TracePlan& trace, const Settings& settings) {
  const std::string path = Printable(settings.trace);
  if (trace.largest_value > settings.trace_value_max) {
    return Status::Usage(
        fmt::format("--trace={}: has a value of {} bytes, and --trace_value_max is {}; raise that",
                    path, trace.largest_value, settings.trace_value_max));
  }
  if (trace.keys > ExpectedState::kMostRemembered) {
    return Status::Usage(fmt::format(
        "--trace={}: has {} keys, and of {} at the most what they hold is known; take a part of "
        "it, with --trace_records",
        path, trace.keys, ExpectedState::kMostRemembered));
  }
  if (trace.speed == 0) return Status::Ok();
  const double gap = static_cast<double>(trace.longest_gap_ns) * 1e-9 / trace.speed;
  if (gap < settings.stall / 2) return Status::Ok();
  return Status::Usage(fmt::format(
      "--trace={}: nothing is due for {:.1f} s of it at --trace_speed={}, and after --stall={} s "
      "without an operation the engine counts as hung; raise --stall to more than twice that, or "
      "the speed",
      path, gap, trace.speed, settings.stall));
}

}  // namespace

Status ResolveTrace(Workload& workload, const Settings& settings) {
  for (Role& role : workload.roles) {
    if (!role.operation->replays_trace) continue;
    RETURN_IF_ERROR(CheckFlags(workload.name, settings));
    TracePlan& trace = role.trace;
    trace.path = settings.trace;
    trace.most_records = settings.trace_records;
    trace.is_loaded = settings.trace_load;
    trace.speed = trace.loads ? 0 : settings.trace_speed;
    RETURN_IF_ERROR(DescribeTrace(trace));
    RETURN_IF_ERROR(CheckTrace(trace, settings));
    role.range = trace.keys;
    role.operations = trace.loads ? trace.loaded_keys : trace.records();
    role.value_size = trace.largest_value;
  }
  return Status::Ok();
}

}  // namespace levelfield
