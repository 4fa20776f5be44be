// The outcome of a run as plain data. Everything that a report shows is here, so that a report can
// be made again, byte for byte, without the engine. Written as JSON Lines (result_json.h).
// docs/reference/result_format.md is the promise.
#ifndef LEVELFIELD_RESULT_RESULT_H_
#define LEVELFIELD_RESULT_RESULT_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "result/fields.h"
#include "result/medium.h"
#include "result/overhead.h"
#include "result/phase_result.h"
#include "result/shared_list.h"

namespace levelfield {

// Which of several settings a run used (--vary). The result's settings are those of the first
// variant.
struct Variant {
  uint64_t number = 0;    // From 1. 0: there is only one variant.
  std::string name = {};  // As typed: "write_buffer_size=4M bloom_bits=10".
  // The settings that differ, as the result's settings have them.
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
  std::string released;  // The year of that version: "2026". Empty: not known.
  std::string warning;  // About the engine's build. Shown in every row.
  std::string library_path;
  std::string library_sha256;
  bool is_baseline_engine = false;  // Nobody ranks it: memory, null, stub, the yardstick.
  Outcome outcome = Outcome::kNotRun;
  std::string message;
  FailureCause cause = FailureCause::kNotKnown;
  std::vector<std::string> stderr_tail;
  std::vector<std::pair<std::string, std::string>> settings;
  // Settings that were given to all engines and that it does not have, with its reason.
  std::vector<std::pair<std::string, std::string>> not_applied = {};
  std::vector<std::string> notes;  // Other notes on the run, for people.
  std::string clock;       // "tsc, 2.596 GHz", or "CLOCK_MONOTONIC: " and why.
  ClockKind clock_kind = ClockKind::kNotKnown;  // What timed it.
  uint64_t round = 1;              // Each round runs every engine once, in a fresh process.
  uint64_t seed = 0;               // The round's seed.
  uint64_t padding_bytes = 0;      // Size of a dummy argument that moves the stack.
  SharedList<PhaseResult> phases;  // Copies share them, because they are most of a result.
  // The limit of the worker's memory group, and the peak of the memory charged to it, including
  // page cache. Absent: memory was not capped.
  struct Memory {
    uint64_t limit_bytes = 0;
    uint64_t peak_bytes = 0;  // 0: the kernel does not tell.

    static constexpr Fields kFields{"a run's memory", Field("limit_bytes", &Memory::limit_bytes),
                                    Field("peak_bytes", &Memory::peak_bytes)};
  };
  std::optional<Memory> memory = {};
  // The worker's allocator in force: "glibc 2.36", or "unknown: <reason>". Empty: not known.
  std::string allocator = {};
  // The processors that the worker could run on: "0-1". Empty: not known.
  std::string cpus = {};
  // By durability class: the configuration in force when the store was open in that class, in the
  // engine's own words, or "unknown: <reason>".
  std::vector<std::pair<std::string, std::string>> configuration = {};
  // What an empty call of its server's took (Store::RoundTripNs). 0: it works in the process.
  uint64_t round_trip_ns = 0;
  std::optional<FileSystem> file_system = {};  // If one was made for the run.
  Variant variant = {};
  // By durability class: the level that it was seen to keep, in the plug-in's words ("D2: after
  // ..."), if that is less than it claims. The manifest has it by engine.
  std::vector<std::pair<std::string, std::string>> deviations = {};
  // The engine's own settings against the kernel's read-ahead: those of its alternative
  // `no_readahead`. The manifest has them by engine.
  std::vector<std::pair<std::string, std::string>> no_readahead = {};
  // The run ended early because the whole result did (Result::completion). What it had measured
  // counts. That the rest is missing is not the engine's fault.
  bool cut_off = false;
  uint64_t number = 0;  // In the files of its result.

  static constexpr Fields kFields{"a run's result",
                                  Field("engine", &RunResult::engine),
                                  Field("label", &RunResult::label),
                                  Field("version", &RunResult::version),
                                  Field("released", &RunResult::released).UnlessEmpty(),
                                  Field("warning", &RunResult::warning),
                                  Field("library_path", &RunResult::library_path),
                                  Field("library_sha256", &RunResult::library_sha256),
                                  Field("floor", &RunResult::is_baseline_engine),
                                  Field("outcome", &RunResult::outcome),
                                  Field("message", &RunResult::message),
                                  Field("cause", &RunResult::cause).UnlessEmpty(),
                                  Field("stderr_tail", &RunResult::stderr_tail),
                                  Field("settings", &RunResult::settings),
                                  Field("not_applied", &RunResult::not_applied).UnlessEmpty(),
                                  Field("notes", &RunResult::notes),
                                  Field("clock", &RunResult::clock),
                                  Field("clock_kind", &RunResult::clock_kind).UnlessEmpty(),
                                  Field("round", &RunResult::round),
                                  Field("seed", &RunResult::seed),
                                  Field("padding_bytes", &RunResult::padding_bytes),
                                  Field("memory", &RunResult::memory),
                                  Field("variant", &RunResult::variant).UnlessEmpty(),
                                  Field("allocator", &RunResult::allocator).UnlessEmpty(),
                                  Field("cpus", &RunResult::cpus).UnlessEmpty(),
                                  Field("configuration", &RunResult::configuration).UnlessEmpty(),
                                  Field("round_trip_ns", &RunResult::round_trip_ns).UnlessEmpty(),
                                  Field("file_system", &RunResult::file_system)};
};
// Not fields of a run's line: the phases have lines of their own, what the engines declare is in
// the manifest, whether a run was cut off follows from all lines together, and each line has the
// run's number.
template <>
inline constexpr size_t kOtherMembers<RunResult> = 5;

// "lmdb: cache_size does not apply: it has no cache of its own".
std::string NotAppliedWords(const std::string& engine, const std::string& setting,
                            const std::string& why_not);
// What a report says of the run: those, and its notes.
std::vector<std::string> NotesOf(const RunResult& run);

// How far a result came.
struct Completion {
  enum class End {
    kFinished,     // The whole plan was done, with whatever outcome.
    kInterrupted,  // Ctrl-C.
    kFailed,       // The program could not go on, for example because the results' disk was full.
    kCutOff,       // The program ended without a word: it was killed, or the power was cut.
  };
  uint64_t planned_rounds = 0;
  uint64_t most_rounds = 0;  // The same with --precision.
  uint64_t rounds = 0;       // Complete ones.
  End end = End::kFinished;
  std::string message = {};  // Why it failed.

  bool operator==(const Completion&) const = default;
};

// In results.jsonl. Nobody is left to write the last one.
inline constexpr EnumName<Completion::End> kEndNames[] = {
    {Completion::End::kFinished, "finished"},
    {Completion::End::kInterrupted, "interrupted"},
    {Completion::End::kFailed, "failed"},
    {Completion::End::kCutOff, "cut off"},
};
constexpr std::span<const EnumName<Completion::End>> NamesOf(Completion::End) { return kEndNames; }

// Settings of an engine that the pilot of --settings=best tried, and their results.
struct TriedSetting {
  std::string engine;    // The spec.
  std::string name;      // The alternative's name. "equal": what --settings=equal gives.
  std::string settings;  // "writemap=1"
  std::string because;   // What the maintainers say about it, and where.
  std::string link;
  // Operations a second in the pilot, by workload. Empty: it gave no figure.
  std::vector<std::pair<std::string, double>> rates;
  bool chosen = false;

  static constexpr Fields kFields{"a setting that was tried",
                                  Field("engine", &TriedSetting::engine),
                                  Field("name", &TriedSetting::name),
                                  Field("settings", &TriedSetting::settings),
                                  Field("because", &TriedSetting::because),
                                  Field("link", &TriedSetting::link),
                                  Field("rates", &TriedSetting::rates),
                                  Field("chosen", &TriedSetting::chosen)};
  bool operator==(const TriedSetting&) const = default;
};

// The content of a result directory.
struct Result {
  std::string name;
  std::string started;  // UTC.
  // The same, in nanoseconds since 1970: the order of results that began in one second. 0: not
  // known.
  uint64_t started_ns = 0;
  std::string command;
  std::string version;    // Levelfield's version.
  std::string git;        // Commit of Levelfield's source.
  std::string cpu;        // "2 * AMD EPYC"
  std::string cpu_cache;  // Its largest level: "32768 KB"
  // Identifies hardware, kernel and kernel settings (environment.h). Rates with different
  // fingerprints are never compared.
  std::string fingerprint;
  std::string kernel;
  // Further conditions that decide how fast a store is: its disk, limits on the process.
  std::vector<std::pair<std::string, std::string>> conditions;
  std::string block_device = {};  // Under the stores: "vda". Empty: not known.
  uint64_t read_ahead_kb = 0;     // How far the kernel reads ahead on it. 0: not, or not known.
  std::vector<std::pair<std::string, std::string>> workload_texts;  // Workload files by name.
  std::vector<std::pair<std::string, std::string>> settings;
  // What --noise had for each workload: 0.05 where smaller differences than 5 % are not to be
  // believed. Empty: it was not given, or an earlier version kept only its name.
  std::vector<std::pair<std::string, double>> noise = {};
  std::vector<std::string> warnings;
  std::vector<RunResult> runs;
  std::vector<Overhead> overheads =
      {};  // The harness's own cost, if it was measured for this result.
  Completion completion = {};
  std::vector<TriedSetting> tried = {};  // By the pilot of --settings=best.
  bool lacks_details = false;            // The file of details is missing (result_json.h).
  // Of several results that were merged (result/merge.h): what each of the machines is, as a result
  // without runs that has the machine's name. Empty: it is of one invocation.
  std::vector<Result> machines = {};
};

// A copy without the runs, which are most of its bytes. The compiler reports a new member of Result
// that is missing here.
inline Result WithoutRuns(const Result& result) {
  const auto& [name, started, started_ns, command, version, git, cpu, cpu_cache, fingerprint,
               kernel, conditions, block_device, read_ahead_kb, workload_texts, settings, noise,
               warnings, runs, overheads, completion, tried, lacks_details, machines] = result;
  return {name,          started,        started_ns,  command,       version,    git,
          cpu,           cpu_cache,      fingerprint, kernel,        conditions, block_device,
          read_ahead_kb, workload_texts, settings,    noise,         warnings,   {},
          overheads,     completion,     tried,       lacks_details, machines};
}

// The text of that name. Empty: there is none.
inline std::string TextIn(const std::vector<std::pair<std::string, std::string>>& texts,
                          std::string_view name) {
  const auto it = std::ranges::find(texts, name, &std::pair<std::string, std::string>::first);
  return it == texts.end() ? "" : it->second;
}

// As text. Empty: there is no such setting.
inline std::string SettingOf(const Result& result, std::string_view name) {
  return TextIn(result.settings, name);
}

template <class IsSo>
bool AnyPhase(const Result& result, IsSo is_so) {
  return std::ranges::any_of(
      result.runs, [&](const RunResult& run) { return std::ranges::any_of(run.phases, is_so); });
}

// Whether the run was a yardstick, which relates the others' rates to other sessions.
inline bool IsYardstick(const Result& result, const RunResult& run) {
  return !run.engine.empty() && run.engine == SettingOf(result, "yardstick");
}

// How much of the plan a result contains. A run that was killed or interrupted, or whose results
// disk filled up, has fewer rounds, and every report says so. Pure.

// The number of rounds in which every engine ran to its end, counted from the runs that have a line
// of their own. `planned_runs` is per round. A failed run is not repeated.
uint64_t WholeRounds(const std::vector<RunResult>& runs, uint64_t planned_runs);

// Whether the run is known to have ended before the plan was done.
bool IsCutOff(const Result& result);

// "3 of 30 rounds; cut off: interrupted", or "3 of 30 rounds; still running". Empty if nothing is
// missing.
std::string CutOffWords(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_RESULT_H_
