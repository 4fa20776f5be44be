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

#include "base/histogram.h"
#include "result/resources.h"
#include "result/time_series.h"

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
  std::optional<Histogram> latency_ns;  // Service time, where the clock was read per operation.
  uint64_t entry_bytes = 0;  // Of each hit, where all have the same size; 0: they may differ.
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

struct PhaseResult {
  std::string workload;
  std::string family;
  std::string durability;  // The class that was asked for.
  std::string level;       // What the engine claims for it: "D1".
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
  double run_seconds = 0;  // From before its first thread began until all had ended; 0: not known.
  std::optional<Ticks> ticks = {};  // Ten times a second, what its threads had done.
};

// Whether the answers behind its number were compared with what they had to be.
inline bool IsChecked(const PhaseResult& phase) {
  return !phase.checked.starts_with("none") && !phase.checked.starts_with("counted");
}

struct RunResult {
  std::string engine;  // The spec: "rocksdb@11.8.1".
  std::string label;   // "rocksdb 11.8.1".
  std::string version;
  std::string warning;  // Of the engine's build; on every row.
  std::string library_path;
  std::string library_sha256;
  bool floor = false;  // Not a store: memory, null.
  Outcome outcome = Outcome::kNotRun;
  std::string message;
  std::vector<std::string> stderr_tail;
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> notes;  // Options that do not apply to it.
  std::string clock;               // "tsc", or why not.
  uint64_t round = 1;              // Each round runs every engine once, in a fresh process.
  uint64_t seed = 0;               // Of the round.
  uint64_t padding_bytes = 0;      // Of a dummy argument that moves the stack.
  std::vector<PhaseResult> phases;
  // Of the memory group that the worker was in: its limit, and the most that was charged to it,
  // page cache included. Absent: memory was not capped.
  struct Memory {
    uint64_t limit_bytes = 0;
    uint64_t peak_bytes = 0;  // 0: the kernel does not tell.
  };
  std::optional<Memory> memory = {};
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
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> warnings;
  std::vector<RunResult> runs;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_H_
