// What came of a run, as plain data: everything that a report shows stands here, so that a report
// can be made again, byte for byte, without the engine. Written as JSON Lines (result_json.h);
// docs/result_format.md is the promise.
#ifndef LEVELFIELD_RESULT_RESULT_H_
#define LEVELFIELD_RESULT_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/shared_list.h"
#include "result/audit.h"
#include "result/ceilings.h"
#include "result/conditions.h"
#include "result/file_system.h"
#include "result/medium.h"
#include "result/page_cache_share.h"
#include "result/price.h"
#include "result/resources.h"
#include "result/time_series.h"
#include "stats/sparse_histogram.h"

namespace levelfield {

// How a phase, or a run, ended. Everything but kOk voids its numbers.
enum class Outcome {
  kOk,
  kWrong,        // The engine answered, but not what the model says it must.
  kFailed,       // The engine failed, died, hung, or could not be opened.
  kUnsupported,  // The engine cannot do this, for a reason.
  kInterrupted,  // Ctrl-C.
  kNotRun,       // Something before it failed.
  kInvalid,      // Measured under conditions that void it (the clock ran away), or contradictory.
  kSkipped,      // It would have destroyed what was to be kept.
  kStopped,      // Before it filled the disk.
};

// One kind of operation of a role: all its threads together.
struct LaneResult {
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
};

// What is to be known of an open loop beside its latencies. The rate that was asked for and the one
// that was kept are the role's.
struct LoadResult {
  std::string arrival;          // "poisson", "constant", "trace".
  std::string verdict;          // "ok", "not sustainable", "late generator" (load_verdict.h).
  SparseHistogram lateness_ns;  // What the generator itself was late.
  // How long the oldest operation that was due had been waiting, on the average of each of so many
  // equal intervals and of the threads; empty where it was over too soon.
  std::vector<uint64_t> backlog_ns = {};
  double interval_seconds = 0;
};

struct RoleResult {
  std::string name;
  uint64_t threads = 0;
  uint64_t batch = 1;         // Operations to one latency.
  double seconds = 0;         // From the first thread's start to the last one's end.
  double thread_seconds = 0;  // Of all threads together.
  std::vector<LaneResult> lanes;
  uint64_t rate = 0;  // Operations a second that it was to keep to; 0: none was asked for.
  // Thread by thread, of all lanes; empty in results that are older than these members.
  std::vector<uint64_t> thread_operations = {};  // As the loop counted them for those who watch.
  std::vector<uint64_t> thread_calls = {};       // Of the engine: what has a latency each.
  std::optional<double> operations_per_second = {};  // As it was written down.
  std::optional<LoadResult> load = {};               // Of an open loop.

  // What was done; a transaction that gave way to another was not.
  uint64_t Operations() const {
    uint64_t sum = 0;
    for (const LaneResult& lane : lanes) sum += lane.operation == "conflict" ? 0 : lane.operations;
    return sum;
  }
  double OperationsPerSecond() const {
    return seconds > 0 ? static_cast<double>(Operations()) / seconds : 0;
  }
};

// Of a workload that was asked for several times, as `name[X5-W1]`.
struct Repetition {
  uint64_t number = 0;  // From 1; 0: it was asked for once.
  uint64_t of = 0;
  bool warm_up = false;  // Counted for themselves; no part of an average.

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
};

// What a search came to.
struct SloResult {
  std::string objective;  // "p99<1ms".
  uint64_t rate = 0;      // The highest that keeps it; 0: it was kept at none that was tried.
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
  double reopen_seconds = 0;  // Of the verification: the engine's recovery.
  uint64_t disk_bytes = 0;    // Allocated, after the phase.
  double clock_drift_ppm = 0;
  // What the engine counted while it ran, by its own names.
  std::vector<std::pair<std::string, uint64_t>> counters;
  std::string note;  // Beside the number, in a few words ("output: 55.1%").
  Repetition repetition = {};
  // How large the engine's files are when its operations are over, where it tells them apart.
  std::vector<std::pair<std::string, uint64_t>> sizes = {};
  std::optional<Resources> resources = {};  // Of its operations alone, without checks.
  // The most that was allocated at any time since the phase before, looked at once a second, and at
  // the end of the operations; and the keys and values that the store then held, as they were
  // read back. 0: not known.
  uint64_t peak_disk_bytes = 0;
  uint64_t live_bytes = 0;
  std::optional<Conditions> conditions = {};  // Of the machine, while its operations ran.
  std::optional<Ceilings> ceilings = {};      // Of the machine, just before.
  std::optional<PageCacheShare> page_cache = {};
  double run_seconds = 0;  // From before its first thread began until all had ended; 0: not known.
  // Absent: the phase wrote nothing, or its debt was carried over (--carry_debt).
  std::optional<Settle> settle = {};
  // Open loops behind this phase, which was a closed one, in the order in which they ran.
  std::vector<LoadStep> load_steps = {};
  std::optional<SloResult> slo = {};
  std::optional<Audit> audit = {};    // Of a scratch store of the same engine, settings and class.
  std::optional<Medium> medium = {};  // What its store is on, where it writes.
  std::optional<Ticks> ticks = {};    // Ten times a second, what its threads had done.
  std::optional<SpaceSeries> space = {};  // While its threads ran; absent where they did not.
};

// The level of what nobody wrote down the class of.
inline constexpr const char* kLevelNotKnown = "not known";

// Whether the answers behind its number were compared with what they had to be.
inline bool IsChecked(const PhaseResult& phase) {
  return !phase.checked.starts_with("none") && !phase.checked.starts_with("counted");
}

// Which of several ways of setting things a run is of (--vary). The settings of the result are
// those of the first.
struct Variant {
  uint64_t number = 0;    // From 1; 0: there is only one.
  std::string name = {};  // As typed: "write_buffer_size=4M bloom_bits=10".
  // In which they differ, as the settings of the result have them.
  std::vector<std::pair<std::string, std::string>> settings = {};

  bool operator==(const Variant&) const = default;
};

struct RunResult {
  std::string engine;  // The spec: "rocksdb@11.8.1".
  std::string label;   // "rocksdb 11.8.1".
  std::string version;
  std::string warning;  // Of the engine's build; on every row.
  std::string library_path;
  std::string library_sha256;
  bool floor = false;  // No store to rank: memory, null, stub.
  Outcome outcome = Outcome::kNotRun;
  std::string message;
  std::vector<std::string> stderr_tail;
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> notes;  // Options that do not apply to it.
  std::string clock;               // "tsc", or why not.
  uint64_t round = 1;              // Each round runs every engine once, in a fresh process.
  uint64_t seed = 0;               // Of the round.
  uint64_t padding_bytes = 0;      // Of a dummy argument that moves the stack.
  SharedList<PhaseResult> phases;  // Copies share them: they are most of a result.
  // Of the memory group that the worker was in: its limit, and the most that was charged to it,
  // page cache included. Absent: memory was not capped.
  struct Memory {
    uint64_t limit_bytes = 0;
    uint64_t peak_bytes = 0;  // 0: the kernel does not tell.
  };
  std::optional<Memory> memory = {};
  // Of the worker, really in force: "glibc 2.36", or "unknown: <reason>"; empty: not known.
  std::string allocator = {};
  // Of the machine's processors those that the worker could run on: "0-1"; empty: not known.
  std::string cpus = {};
  // By the durability class that the store was open in: what it was really configured as, in the
  // engine's own words, or "unknown: <reason>".
  std::vector<std::pair<std::string, std::string>> configuration = {};
  std::optional<FileSystem> file_system = {};  // Where one was made for it.
  Variant variant = {};
  // By durability class: what it was seen to keep, in the plug-in's words ("D2: after ..."), where
  // that is less than it claims. In the manifest, of the engine.
  std::vector<std::pair<std::string, std::string>> deviations = {};
  // It did not come to its end because the whole result did not (Result::completion). What it had
  // measured counts; that the rest is missing says nothing of the engine.
  bool cut_off = false;
};

// How far a result came.
struct Completion {
  enum class End {
    kFinished,     // All that was planned was done, whatever came of it.
    kInterrupted,  // Ctrl-C.
    kFailed,       // The program could not go on, as where the results' disk was full.
    kCutOff,       // The program ended without a word: it was killed, or the power was cut.
  };
  uint64_t planned_rounds = 0;
  uint64_t most_rounds = 0;  // The same, but with --precision.
  uint64_t rounds = 0;       // That are whole.
  End end = End::kCutOff;
  std::string message = {};  // Why it failed.

  bool operator==(const Completion&) const = default;
};

// A result directory's content.
struct Result {
  std::string name;
  std::string started;  // UTC.
  std::string command;
  std::string version;    // Of Levelfield.
  std::string git;        // Of Levelfield's source.
  std::string cpu;        // "2 * AMD EPYC"
  std::string cpu_cache;  // Of the largest level: "32768 KB"
  // Of the machine: hardware, kernel and kernel settings (environment.h). Rates of two are never
  // held against each other.
  std::string fingerprint;
  std::string kernel;
  // What else of the environment decides how fast a store is: its disk, limits on the process.
  std::vector<std::pair<std::string, std::string>> conditions;
  std::vector<std::pair<std::string, std::string>> workload_texts;  // Files, by name.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> warnings;
  std::vector<RunResult> runs;
  std::vector<Price> prices = {};  // Of the harness, where they were measured for this result.
  std::optional<Completion> completion = {};  // Absent: older results do not tell.
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_H_
