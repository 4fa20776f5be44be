// One thread's part of a role: what to do, and the result. Everything that a ThreadTask points to
// outlives the thread and is either the thread's own or immutable while it runs.
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

// How far the one writer of a series, or of rows, is: shared by all threads of the phase, on a
// cache line of its own. The writer sets it after each acknowledged write, to the next time of the
// series (which has a plan) or to the number of rows inserted in this phase.
struct WriterClock {
  SeriesPlan plan;
  alignas(64) std::atomic<uint64_t> now{0};
};

struct ThreadResult;

struct ThreadTask {
  const lf_engine* table = nullptr;  // Null, as is the session, if the machine is measured.
  lf_session* session = nullptr;
  const Role* role = nullptr;
  const ValueSource* values = nullptr;
  const OriginalValues* original = nullptr;  // What it writes instead, with --compat=exact.
  uint64_t first_window = 0;                 // Where the first of those values lies.
  const Clock* clock = nullptr;
  KeyPlan keys;        // The role's operation; in a mix, the gets.
  KeyPlan write_keys;  // In a mix, the puts.
  uint64_t choice_seed = 0;
  uint64_t thread = 0;  // Its number in the role.
  KeyShape key_shape = {};
  uint32_t first_version = 1;             // For its writes.
  const ExpectedState* before = nullptr;  // What the store held before; does not change meanwhile.
  uint64_t operations = 0;                // Its limit.
  // What the same thread of the same role has done before, in a session of its own: it goes on
  // behind these operations. `earlier` is their result; null: there are none.
  uint64_t done = 0;
  const ThreadResult* earlier = nullptr;
  bool timed = true;                      // Read the clock per operation.
  bool check_in_loop = false;  // Check the value of each get: others write it, or wrote it before.
  bool check_order = false;    // The same for scans: at least the order of the keys.
  WriterClock* writer_clock = nullptr;    // For a series, and for rows.
  std::span<const TraceStep> steps = {};  // In a trace: the thread's part of it.
  uint64_t depth = 1;                     // Operations in flight (loop/in_flight.h).
  std::optional<LoadPlan> load;           // For an open loop, which is always timed.
  uint64_t load_begin_ns = 0;             // When its schedule begins, in MonotonicNs.
  const CacheTask* cache = nullptr;       // For `cache`.
  ThreadControl* control = nullptr;
};

// The results of one kind of operation; a mix has two.
struct ThreadStatistics {
  std::string_view operation;  // As results name it.
  OperationCounts counts;
  Histogram latency_ns;  // Empty if the phase is untimed.
  size_t number = 0;     // Which kind of the operation's calls it counts.
  std::optional<Effects> effects = {};  // What they do to the store.
  Lookup lookup = Lookup::kNone;
  // The bytes that each operation writes, takes or works on, if all have the same; else 0.
  uint64_t entry_bytes = 0;
};

// A part of one kind of operation, timed by itself as well.
struct ThreadPart {
  std::string_view operation;  // "rmw"
  std::string_view part;       // "get"
  Histogram latency_ns;
};

struct ThreadResult {
  uint64_t start_ns = 0;  // MonotonicNs.
  uint64_t end_ns = 0;
  uint64_t cpu_ns = 0;  // The thread's, from its start on, including the begin of its session.
  lf_code code = LF_OK;
  std::string error;        // If code is LF_FAILED or LF_UNSUPPORTED.
  bool found_end = false;   // The engine ended it: a scan came to the last entry.
  std::string note;         // For an operation of the machine: what stands beside its number,
  std::string detail;       // and what was used and how it was checked.
  DisposalCounts disposal;  // For `dispose`.
  uint64_t entries = 0;     // For a series: read or erased.
  std::vector<uint64_t> erased_before;  // For `series expire`: by id, until which time.
  CacheWork cache;                      // For `cache`.
  std::vector<ThreadStatistics> statistics;
  std::vector<ThreadPart> parts;    // For `ycsb`, if they are timed.
  std::optional<OpenRecord> open;   // For an open loop.
  std::vector<uint64_t> conflicts;  // The transactions that were rolled back after a conflict.

  uint64_t Operations() const {
    uint64_t operations = 0;
    for (const ThreadStatistics& stats : statistics) operations += stats.counts.operations;
    return operations;
  }
};

// A role as it ran: its tasks, and the result of each.
struct RoleRun {
  std::vector<ThreadTask> tasks;
  std::vector<ThreadResult> results;
  std::vector<uint32_t> versions_before = {};  // For transactions: their counters.
  uint64_t planned_operations = 0;  // By all its threads; UINT64_MAX if time or others end it.
  // By kind of call: what was taken from the threads while they ran. Their results have the rest.
  std::vector<Histogram> taken_ns = {};
  std::vector<Histogram> taken_response_ns = {};  // For an open loop.

  // What the role reports: the same in every thread that ran; empty if none did.
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
