// One thread's part of a role: what it is to do, and what came of it. Everything that a ThreadTask
// points to outlives the thread and is either the thread's own or immutable while it runs.
#ifndef LEVELFIELD_OPERATIONS_TASK_H_
#define LEVELFIELD_OPERATIONS_TASK_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "levelfield/engine_abi.h"
#include "loop/load_model.h"
#include "loop/loop.h"
#include "loop/open_loop.h"
#include "loop/operation_counts.h"
#include "operations/cache.h"
#include "stats/histogram.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/original_values.h"
#include "workload/trace/trace_plan.h"
#include "workload/value_source.h"
#include "workload/workload.h"

namespace levelfield {

// What the threads of a series share: the plan, and the time that it is, on a line of its own. It
// is written once for each put, by the one writer, after the put is acknowledged.
struct SeriesClock {
  SeriesPlan plan;
  alignas(64) std::atomic<uint64_t> now{0};
};

struct ThreadTask {
  const lf_engine* table = nullptr;  // None, and no session, where the machine is measured.
  lf_session* session = nullptr;
  const Role* role = nullptr;
  const ValueSource* values = nullptr;
  const OriginalValues* original = nullptr;  // What it writes instead, with --compat=exact.
  uint64_t first_window = 0;                 // Of those: where the first value lies.
  const Clock* clock = nullptr;
  KeyPlan keys;        // Of the role's operation; of a mix: what it gets.
  KeyPlan write_keys;  // Of a mix: what it puts.
  uint64_t choice_seed = 0;
  uint64_t thread = 0;  // Which of its role it is.
  KeyShape key_shape = {};
  uint32_t first_version = 1;  // Of what it writes.
  const ExpectedState* before =
      nullptr;                 // What the store held before; nobody changes it meanwhile.
  uint64_t operations = 0;     // Its limit.
  bool timed = true;           // Read the clock per operation.
  bool check_in_loop = false;  // Check the value of each get: others write it, or wrote it before.
  bool check_order = false;    // The same for scans: the order of the keys, at least.
  SeriesClock* series = nullptr;          // What the threads of a series share.
  std::span<const TraceStep> steps = {};  // Of a trace: the thread's part of it.
  std::optional<LoadPlan> load;           // Of an open loop, which is always timed.
  uint64_t load_begin_ns = 0;             // When its schedule begins, in MonotonicNs.
  const CacheTask* cache = nullptr;       // Of `cache`.
  ThreadControl* control = nullptr;
};

// What one kind of operation came to; a mix has two.
struct ThreadStatistics {
  std::string_view operation;  // As results name it.
  OperationCounts counts;
  Histogram latency_ns;  // Empty where the phase is untimed.
  size_t number = 0;     // Which of the operation's lanes it is.
  // Of what each one writes, takes or works on, where that is the same for all; else 0.
  uint64_t entry_bytes = 0;
};

struct ThreadResult {
  uint64_t start_ns = 0;  // MonotonicNs.
  uint64_t end_ns = 0;
  uint64_t cpu_ns = 0;  // Of the thread from its start, its session's begin included.
  lf_code code = LF_OK;
  std::string error;        // Where code is LF_FAILED or LF_UNSUPPORTED.
  bool found_end = false;   // The engine ended it: a scan came to the last entry.
  std::string note;         // Of an operation of the machine: what goes beside its number,
  std::string detail;       // and with what it was done and how it was checked.
  DisposalCounts disposal;  // Of `dispose`.
  uint64_t entries = 0;     // Of a series: that were read or erased.
  std::vector<uint64_t> erased_before;  // Of `series expire`: of each id, until which time.
  CacheWork cache;                      // Of `cache`.
  std::vector<ThreadStatistics> statistics;
  std::optional<OpenRecord> open;   // Of an open loop.
  std::vector<uint64_t> conflicts;  // Which of its transactions gave way to others.

  uint64_t Operations() const {
    uint64_t operations = 0;
    for (const ThreadStatistics& stats : statistics) operations += stats.counts.operations;
    return operations;
  }
};

// One role as it ran: the tasks, which say what was to be done, and what came of each.
struct RoleRun {
  std::vector<ThreadTask> tasks;
  std::vector<ThreadResult> results;
  std::vector<uint32_t> versions_before = {};  // Of transactions: what their counters were.
  uint64_t planned_operations = 0;  // Of all its threads; UINT64_MAX where time or others end it.
  // By the numbers of the operation's lanes, what was taken from its threads while they ran; the
  // rest is in their results.
  std::vector<Histogram> taken_ns = {};
  std::vector<Histogram> taken_response_ns = {};  // Of an open loop.

  // Those that the role reports, the same in every thread that ran; none where none did.
  const std::vector<ThreadStatistics>& Statistics() const {
    size_t t = 0;
    while (t + 1 < results.size() && results[t].statistics.empty()) ++t;
    return results.at(t).statistics;
  }
};

// Runs the task on the calling thread.
void RunThread(const ThreadTask& task, ThreadResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_TASK_H_
