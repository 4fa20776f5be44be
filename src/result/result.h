// What came of a run, as plain data: everything that a report shows stands here, so that a report
// can be made again, byte for byte, without the engine. Written as JSON Lines (result_json.h);
// docs/reference/result_format.md is the promise.
#ifndef LEVELFIELD_RESULT_RESULT_H_
#define LEVELFIELD_RESULT_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/shared_list.h"
#include "result/fields.h"
#include "result/medium.h"
#include "result/outcome.h"
#include "result/overhead.h"
#include "result/phase_result.h"
#include "result/tried_setting.h"

namespace levelfield {

// Which of several ways of setting things a run is of (--vary). The settings of the result are
// those of the first.
struct Variant {
  uint64_t number = 0;    // From 1; 0: there is only one.
  std::string name = {};  // As typed: "write_buffer_size=4M bloom_bits=10".
  // In which they differ, as the settings of the result have them.
  std::vector<std::pair<std::string, std::string>> settings = {};

  static constexpr Fields kFields{"a run's variant", Field("number", &Variant::number),
                                  Field("name", &Variant::name),
                                  Field("settings", &Variant::settings)};
  bool operator==(const Variant&) const = default;
};

struct RunResult {
  std::string engine;  // The spec: "rocksdb@11.8.1".
  std::string label;   // "rocksdb 11.8.1".
  std::string version;
  std::string warning;  // Of the engine's build; on every row.
  std::string library_path;
  std::string library_sha256;
  bool is_baseline_engine = false;  // Nobody ranks it: memory, null, stub, the yardstick.
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

    static constexpr Fields kFields{"a run's memory", Field("limit_bytes", &Memory::limit_bytes),
                                    Field("peak_bytes", &Memory::peak_bytes)};
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

  static constexpr Fields kFields{"a run's result",
                                  Field("engine", &RunResult::engine),
                                  Field("label", &RunResult::label),
                                  Field("version", &RunResult::version),
                                  Field("warning", &RunResult::warning),
                                  Field("library_path", &RunResult::library_path),
                                  Field("library_sha256", &RunResult::library_sha256),
                                  Field("floor", &RunResult::is_baseline_engine),
                                  Field("outcome", &RunResult::outcome),
                                  Field("message", &RunResult::message),
                                  Field("stderr_tail", &RunResult::stderr_tail),
                                  Field("settings", &RunResult::settings),
                                  Field("notes", &RunResult::notes),
                                  Field("clock", &RunResult::clock),
                                  Field("round", &RunResult::round).Newer(),
                                  Field("seed", &RunResult::seed).Newer(),
                                  Field("padding_bytes", &RunResult::padding_bytes).Newer(),
                                  Field("memory", &RunResult::memory),
                                  Field("variant", &RunResult::variant).UnlessEmpty(),
                                  Field("allocator", &RunResult::allocator).UnlessEmpty(),
                                  Field("cpus", &RunResult::cpus).UnlessEmpty(),
                                  Field("configuration", &RunResult::configuration).UnlessEmpty(),
                                  Field("file_system", &RunResult::file_system)};
};
// The phases have lines of their own, the manifest has the deviations, and whether a run was cut
// off follows from all lines.
template <>
inline constexpr size_t kOtherMembers<RunResult> = 3;

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
  std::vector<Overhead> overheads =
      {};  // Of the harness, where they were measured for this result.
  std::optional<Completion> completion = {};  // Absent: older results do not tell.
  std::vector<TriedSetting> tried = {};       // By the pilot of --settings=best.
  bool lacks_details = false;                 // Their file is missing (result_json.h).
};

// A copy without the runs, which are most of its bytes. The compiler finds a new member of Result
// that is missing here.
inline Result WithoutRuns(const Result& result) {
  const auto& [name, started, command, version, git, cpu, cpu_cache, fingerprint, kernel,
               conditions, workload_texts, settings, warnings, runs, overheads, completion, tried,
               lacks_details] = result;
  return {name,        started,    command,    version,        git,      cpu,      cpu_cache,
          fingerprint, kernel,     conditions, workload_texts, settings, warnings, {},
          overheads,   completion, tried,      lacks_details};
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_H_
