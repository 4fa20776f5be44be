// What came of one phase: a workload of a run, measured or not. Plain data, each struct with its
// table of fields (fields.h), which docs/reference/result_format.md describes.
#ifndef LEVELFIELD_RESULT_PHASE_RESULT_H_
#define LEVELFIELD_RESULT_PHASE_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/boxed.h"
#include "result/cache_result.h"
#include "result/conditions.h"
#include "result/fields.h"
#include "result/medium.h"
#include "result/outcome.h"
#include "result/resources.h"
#include "result/slices.h"
#include "result/time_series.h"
#include "stats/histogram.h"

namespace levelfield {

// One kind of operation of a role: all its threads together.
struct OperationStatistics {
  std::string operation;
  uint64_t operations = 0;
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t bytes = 0;  // Key and value bytes of the hits.
  uint64_t digest = 0;
  uint64_t wrong = 0;
  std::optional<SparseHistogram> latency_ns;  // Service time, where each was timed.
  uint64_t entry_bytes = 0;  // Of each hit, where all have the same size; 0: they may differ.
  std::optional<SparseHistogram> response_ns = {};  // From when it was due, in an open loop.

  static constexpr Fields kFields{
      "an operation's result",
      Field("operation", &OperationStatistics::operation),
      Field("operations", &OperationStatistics::operations),
      Field("hits", &OperationStatistics::hits),
      Field("misses", &OperationStatistics::misses),
      Field("bytes", &OperationStatistics::bytes),
      Field("digest", &OperationStatistics::digest).Hexadecimal().Newer(),
      Field("wrong", &OperationStatistics::wrong),
      Field("entry_bytes", &OperationStatistics::entry_bytes).UnlessEmpty(),
      Field("latency_ns", &OperationStatistics::latency_ns),
      Field("response_ns", &OperationStatistics::response_ns)};
};

// What an open loop has beside its latencies. The rate that was asked for and the one that was
// achieved are the role's.
struct LoadResult {
  std::string arrival;          // "poisson", "constant", "trace".
  std::string verdict;          // "ok", "not sustainable", "late generator" (load_verdict.h).
  SparseHistogram lateness_ns;  // How late the generator itself was.
  // The run in equal intervals: in each, how long the oldest operation that was due had been
  // waiting, averaged over the interval and the threads. Empty where the run was too short.
  std::vector<uint64_t> backlog_ns = {};
  double interval_seconds = 0;

  static constexpr Fields kFields{"an open loop's load",
                                  Field("arrival", &LoadResult::arrival),
                                  Field("verdict", &LoadResult::verdict),
                                  Field("interval_seconds", &LoadResult::interval_seconds),
                                  Field("backlog_ns", &LoadResult::backlog_ns),
                                  Field("lateness_ns", &LoadResult::lateness_ns).Newer()};
};

struct RoleResult {
  std::string name;
  uint64_t threads = 0;
  uint64_t batch = 1;         // Operations to one latency.
  double seconds = 0;         // From the first thread's start to the last one's end.
  double thread_seconds = 0;  // The sum over its threads.
  std::vector<OperationStatistics> statistics;
  uint64_t rate = 0;  // Operations a second that it was to keep to; 0: none was asked for.
  // Thread by thread, all lanes together; empty in results older than these members.
  std::vector<uint64_t> thread_operations = {};  // As the loop counted them for those who watch.
  std::vector<uint64_t> thread_calls = {};       // Calls of the engine: each has one latency.
  std::optional<double> operations_per_second = {};  // As it was written down.
  Boxed<LoadResult> load = {};                       // In an open loop.

  static constexpr Fields kFields{
      "a role's result",
      Field("name", &RoleResult::name),
      Field("threads", &RoleResult::threads),
      Field("batch", &RoleResult::batch),
      Field("rate", &RoleResult::rate).Newer(),
      Field("seconds", &RoleResult::seconds),
      Field("thread_seconds", &RoleResult::thread_seconds).NewerThan(&RoleResult::seconds),
      Field("thread_operations", &RoleResult::thread_operations).UnlessEmpty(),
      Field("thread_calls", &RoleResult::thread_calls).With("thread_operations"),
      Field("operations_per_second", &RoleResult::operations_per_second),
      Field("load", &RoleResult::load),
      Field("lanes", &RoleResult::statistics)};

  // Operations that were done. A transaction that gave way to another was not.
  uint64_t Operations() const {
    uint64_t sum = 0;
    for (const OperationStatistics& stats : statistics)
      sum += stats.operation == "conflict" ? 0 : stats.operations;
    return sum;
  }
  double OperationsPerSecond() const {
    return seconds > 0 ? static_cast<double>(Operations()) / seconds : 0;
  }
};

// Which one it is of a workload that was asked for several times, as `name[X5-W1]`.
struct Repetition {
  uint64_t number = 0;  // From 1; 0: it was asked for once.
  uint64_t of = 0;
  bool warm_up = false;  // Warm-ups are counted by themselves and are no part of an average.

  static constexpr Fields kFields{"a repetition", Field("number", &Repetition::number),
                                  Field("of", &Repetition::of),
                                  Field("warm_up", &Repetition::warm_up)};
  bool operator==(const Repetition&) const = default;
};

// What a writing phase left to the engine's background (buffers to flush, compactions, checkpoints)
// and what it took to work that off, before anything else began.
struct Settle {
  double seconds = 0;
  std::string how = {};    // "flush, wait_for_background"; why nothing was waited for.
  bool complete = true;    // Else it was given up: the next phase pays for the rest.
  double cpu_seconds = 0;  // Of the process, all of its threads.
  std::optional<uint64_t> dirtied_bytes = {};  // As Resources::Io has them.

  static constexpr Fields kFields{"the settling of a phase",
                                  Field("seconds", &Settle::seconds),
                                  Field("how", &Settle::how),
                                  Field("complete", &Settle::complete),
                                  Field("cpu_seconds", &Settle::cpu_seconds),
                                  Field("dirtied_bytes", &Settle::dirtied_bytes)};
  bool operator==(const Settle&) const = default;
};

// One rate of a sweep or of a search: the first role, all its operations together.
struct LoadStep {
  uint64_t rate = 0;
  double achieved = 0;
  double seconds = 0;
  std::string verdict;  // As LoadResult's.
  std::string message;  // Why it is not "ok".
  SparseHistogram service_ns;
  SparseHistogram response_ns;
  SparseHistogram lateness_ns;

  static constexpr Fields kFields{"a step of the load",
                                  Field("rate", &LoadStep::rate),
                                  Field("achieved", &LoadStep::achieved),
                                  Field("seconds", &LoadStep::seconds),
                                  Field("verdict", &LoadStep::verdict),
                                  Field("message", &LoadStep::message),
                                  Field("service_ns", &LoadStep::service_ns).Newer(),
                                  Field("response_ns", &LoadStep::response_ns).Newer(),
                                  Field("lateness_ns", &LoadStep::lateness_ns).Newer()};
};

// The outcome of a search (--slo).
struct SloResult {
  std::string objective;  // "p99<1ms".
  uint64_t rate = 0;      // The highest that keeps it; 0: it was kept at none that was tried.

  static constexpr Fields kFields{"what a search came to",
                                  Field("objective", &SloResult::objective),
                                  Field("rate", &SloResult::rate)};
};

// An engine's commits watched one by one, outside of any measurement (worker/audit.h): whether each
// of them was flushed before it was acknowledged.
struct Audit {
  uint64_t commits = 0;             // Puts, deletes and batches, each acknowledged before the next.
  uint64_t without_flush = 0;       // Commits in which no durable call was made.
  uint64_t flushes = 0;             // Durable calls in all of them.
  uint64_t acknowledged_bytes = 0;  // Keys and values that were put.
  uint64_t written_bytes = 0;       // Given to the kernel by calls meanwhile.
  // Pages of the store's files that are in the page cache alone, right after the last
  // acknowledgement; absent where the kernel does not tell (cachestat, Linux 6.5). An engine's own
  // side files (locks, shared memory) may well be among them.
  std::optional<uint64_t> dirty_pages = {};
  std::vector<std::pair<std::string, uint64_t>> dirty_files = {};
  std::optional<uint64_t> device_flushes = {};  // Of the whole device; absent where it has none.
  std::string reason = {};                      // Why there is no audit, or why it ended early.
  // Why there may have been more durable calls than were counted. Empty: the calls of all threads
  // and processes of the worker were counted, unless an older version wrote it (see below).
  std::string uncounted = {};
  // Durable calls, from the opening of the store to its closing, that a phase's own counter misses,
  // as nobody made them by libc's functions in the worker itself (probe/calls/call_tracer.h).
  // Absent: nobody compared.
  std::optional<uint64_t> flushes_past_libc = {};

  static constexpr Fields kFields{"the audit of a phase",
                                  Field("commits", &Audit::commits),
                                  Field("without_flush", &Audit::without_flush),
                                  Field("flushes", &Audit::flushes),
                                  Field("acknowledged_bytes", &Audit::acknowledged_bytes),
                                  Field("written_bytes", &Audit::written_bytes),
                                  Field("dirty_pages", &Audit::dirty_pages),
                                  Field("dirty_files", &Audit::dirty_files).With("dirty_pages"),
                                  Field("device_flushes", &Audit::device_flushes),
                                  Field("reason", &Audit::reason),
                                  Field("uncounted", &Audit::uncounted).UnlessEmpty(),
                                  Field("flushes_past_libc", &Audit::flushes_past_libc)};
  bool operator==(const Audit&) const = default;
};

struct PhaseResult {
  std::string workload;
  std::string family;
  std::string durability;  // The class that was asked for.
  std::string level;       // What the engine claims for it: "D1"; at most `store_level`.
  // The level that a store that was there before was filled at, or kLevelNotKnown; empty: the store
  // was made for the run.
  std::string store_level = {};
  Outcome outcome = Outcome::kNotRun;
  std::string message;            // Why it is not kOk.
  bool implicit = false;          // Nobody asked for it: it loaded the store for the next.
  bool timed = false;             // The clock was read per operation.
  std::vector<RoleResult> roles;  // The first is the one that the row shows.
  std::string text;               // What the engine says, where that was asked for (stats).

  // "replayed": the digest was computed anew from the model; "in the loop": each value was checked
  // when it was read; "verified": the store was reopened and read; "recomputed": what a library or
  // the machine gave is what it must be; "counted": hits and misses of a store whose content is not
  // known were counted, and nothing was judged; "none" and why.
  std::string checked;
  std::string check_detail;
  uint64_t verified_entries = 0;
  double open_seconds = 0;    // Before the phase, where it opened the store.
  double close_seconds = 0;   // After a writing phase.
  double reopen_seconds = 0;  // For the verification: the engine's recovery.
  uint64_t disk_bytes = 0;    // Allocated, after the phase.
  double clock_drift_ppm = 0;
  // What the engine counted while it ran, by its own names.
  std::vector<std::pair<std::string, uint64_t>> counters;
  std::string note;  // Beside the number, in a few words ("output: 55.1%").
  Repetition repetition = {};
  // How large the engine's files are when its operations are over, where it tells them apart.
  std::vector<std::pair<std::string, uint64_t>> sizes = {};
  std::optional<Resources> resources = {};  // Of its operations alone, without checks.
  // The most that was allocated at any time since the phase before, looked at once a second and at
  // the end of the operations; and the keys and values that the store then held, as they were
  // read back. 0: not known.
  uint64_t peak_disk_bytes = 0;
  uint64_t live_bytes = 0;
  std::optional<Conditions> conditions = {};  // The machine, while the operations ran.
  std::optional<MachineLimits> limits = {};   // The machine, just before.
  std::optional<PageCacheShare> page_cache = {};
  double run_seconds = 0;  // From before its first thread began until all had ended; 0: not known.
  // Absent: the phase wrote nothing, or left its deferred work to the next (--carry_debt).
  std::optional<Settle> settle = {};
  // Open loops behind this phase, which was a closed one, in the order in which they ran.
  std::vector<LoadStep> load_steps = {};
  std::optional<SloResult> slo = {};
  Boxed<Audit> audit = {};          // Of a scratch store of the same engine, settings and class.
  Boxed<Medium> medium = {};        // What its store is on, where it writes.
  std::optional<Ticks> ticks = {};  // Ten times a second, what its threads had done.
  std::optional<SpaceSeries> space = {};  // While its threads ran; absent where they did not.
  Boxed<CacheResult> cache = {};          // Of a phase on a cache, which has no store.
  Boxed<Slices> slices = {};              // Absent: it was measured in one piece.

  static constexpr Fields kFields{"a phase's result",
                                  Field("workload", &PhaseResult::workload),
                                  Field("family", &PhaseResult::family),
                                  Field("durability", &PhaseResult::durability),
                                  Field("level", &PhaseResult::level),
                                  Field("outcome", &PhaseResult::outcome),
                                  Field("message", &PhaseResult::message),
                                  Field("implicit", &PhaseResult::implicit),
                                  Field("timed", &PhaseResult::timed),
                                  Field("checked", &PhaseResult::checked),
                                  Field("check_detail", &PhaseResult::check_detail).Newer(),
                                  Field("verified_entries", &PhaseResult::verified_entries),
                                  Field("run_seconds", &PhaseResult::run_seconds).Newer(),
                                  Field("open_seconds", &PhaseResult::open_seconds).Newer(),
                                  Field("close_seconds", &PhaseResult::close_seconds).Newer(),
                                  Field("reopen_seconds", &PhaseResult::reopen_seconds).Newer(),
                                  Field("disk_bytes", &PhaseResult::disk_bytes),
                                  Field("peak_disk_bytes", &PhaseResult::peak_disk_bytes).Newer(),
                                  Field("live_bytes", &PhaseResult::live_bytes).Newer(),
                                  Field("clock_drift_ppm", &PhaseResult::clock_drift_ppm).Newer(),
                                  Field("text", &PhaseResult::text).Newer(),
                                  Field("note", &PhaseResult::note).Newer(),
                                  Field("counters", &PhaseResult::counters).Newer(),
                                  Field("sizes", &PhaseResult::sizes).Newer(),
                                  Field("repetition", &PhaseResult::repetition).UnlessEmpty(),
                                  Field("roles", &PhaseResult::roles),
                                  Field("resources", &PhaseResult::resources),
                                  Field("conditions", &PhaseResult::conditions),
                                  Field("ceilings", &PhaseResult::limits),
                                  Field("page_cache", &PhaseResult::page_cache),
                                  Field("audit", &PhaseResult::audit),
                                  Field("medium", &PhaseResult::medium),
                                  Field("store_level", &PhaseResult::store_level).UnlessEmpty(),
                                  Field("settle", &PhaseResult::settle),
                                  Field("load_steps", &PhaseResult::load_steps).UnlessEmpty(),
                                  Field("slo", &PhaseResult::slo),
                                  Field("ticks", &PhaseResult::ticks),
                                  Field("space", &PhaseResult::space),
                                  Field("cache", &PhaseResult::cache),
                                  Field("slices", &PhaseResult::slices)};
};

// The level of a store of which nobody wrote down the class.
inline constexpr const char* kLevelNotKnown = "not known";

// Whether the answers behind its number were compared with what they had to be.
inline bool IsChecked(const PhaseResult& phase) {
  return !phase.checked.starts_with("none") && !phase.checked.starts_with("counted");
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_PHASE_RESULT_H_
