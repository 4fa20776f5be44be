// The messages between the driver and a worker. The driver sends one WorkerSpec at the begin. The
// worker reports events as messages, JSON lines on a pipe. It requests what only the driver does:
// the driver removes files, and looks at the store from outside the measured process.
#ifndef LEVELFIELD_PLAN_MESSAGES_H_
#define LEVELFIELD_PLAN_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "engine/engine.h"
#include "fleet/gate.h"
#include "plan/plan.h"
#include "result/fields.h"
#include "result/phase_result.h"
#include "result/result.h"
#include "settings/settings.h"

namespace levelfield {

// The store's contents before the worker starts.
struct StoreOrigin {
  bool exists = false;         // It was made before this run, and nothing in it may be destroyed.
  bool knows_values = false;   // All its values have this salt, and name their version.
  std::string because = {};    // Why not, where that is known.
  uint64_t largest_value = 0;  // The largest of those values.
  uint32_t first_version = 1;   // No write to it has used this version or a later one.
  uint64_t entries = 0;         // As in StoreContent.
  bool read_only = false;       // The engine opens it without changing a byte.
  std::string kept = {};        // Why nothing is written to it. Empty: it may be.
  std::string durability = {};  // As in StoreContent.
  bool cut_off = false;         // As in StoreContent.
  static constexpr Fields kFields{"a store's origin",
                                  Field("exists", &StoreOrigin::exists),
                                  Field("knows_values", &StoreOrigin::knows_values),
                                  Field("because", &StoreOrigin::because),
                                  Field("largest_value", &StoreOrigin::largest_value),
                                  Field("first_version", &StoreOrigin::first_version),
                                  Field("entries", &StoreOrigin::entries),
                                  Field("read_only", &StoreOrigin::read_only),
                                  Field("kept", &StoreOrigin::kept),
                                  Field("durability", &StoreOrigin::durability),
                                  Field("cut_off", &StoreOrigin::cut_off)};
};

// A measurement of a cache alone (cache_bench). The words are the program's arguments.
struct CacheAsked {
  std::vector<std::string> words;
  std::string phase = {};  // Its name in results.
  bool payload = false;
  uint64_t threads = 0;  // 0: measures nothing, and describes the cache.
};

// Everything that a worker needs, with its text form for the pipe.
struct WorkerSpec {
  std::string engine;           // The spec.
  SettingList engine_settings;  // Canonical. Durability and hints come from the phases.
  Settings settings;
  std::vector<PlannedPhase> phases = {};
  std::string directory;               // The database's directory. It exists.
  std::string results_directory = {};  // For files that belong to the results. It exists.
  uint64_t salt = 0;
  ClockChoice clock = {};
  StoreOrigin origin = {};
  // Size of a dummy argument of the worker, which moves the begin of its stack. That begin can
  // change results more than the compared engines do (Mytkowicz et al., ASPLOS 2009).
  uint64_t padding_bytes = 0;
  bool takes_turns = false;              // It runs in slices if it can (result/time_series.h).
  FleetPlace fleet = {};
  bool audits = false;                   // It audits commits (worker/audit.h), and runs no phase.
  std::optional<CacheAsked> cache = {};  // Then the engine is a cache, and there is no store.
};

std::string ToText(const WorkerSpec& spec);
StatusOr<WorkerSpec> WorkerSpecFromText(const std::string& text);

// Each message is a struct with its name on the pipe and a row for each member (result/fields.h).

// What a worker does for a phase.
enum class Stage {
  kStart,  // Nothing yet.
  kAudit,  // Commits are watched one by one (worker/audit.h).
  kOpen,
  kDrop,     // The store leaves the page cache.
  kProbe,    // The machine's own limits are measured.
  kPrepare,  // The trace is read.
  kRun,      // The operations.
  kSync,     // What was written.
  kSettle,   // Deferred work.
  kCheck,    // The answers.
  kRest,     // The rest of a fill, unmeasured.
  kClose,
  kReopen,
  kVerify,  // The store's content.
  kGate,    // Others of its fleet are waited for.
};
inline constexpr EnumName<Stage> kStageNames[] = {
    {Stage::kStart, "start"},   {Stage::kAudit, "audit"},   {Stage::kOpen, "open"},
    {Stage::kDrop, "drop"},     {Stage::kProbe, "probe"},   {Stage::kPrepare, "prepare"},
    {Stage::kRun, "run"},       {Stage::kSync, "sync"},     {Stage::kSettle, "settle"},
    {Stage::kCheck, "check"},   {Stage::kRest, "rest"},     {Stage::kClose, "close"},
    {Stage::kReopen, "reopen"}, {Stage::kVerify, "verify"}, {Stage::kGate, "gate"},
};
constexpr std::span<const EnumName<Stage>> NamesOf(Stage) { return kStageNames; }

// A slow stage may take longer without progress, because the engine works alone.
struct StageBegan {
  size_t phase = 0;
  Stage stage = Stage::kStart;
  bool is_slow = false;
  static constexpr const char* kName = "stage";
  static constexpr Fields kFields{"a stage", Field("phase", &StageBegan::phase),
                                  Field("stage", &StageBegan::stage),
                                  Field("slow", &StageBegan::is_slow)};
};

struct Progressed {
  uint64_t operations = 0;
  uint64_t of = 0;
  static constexpr const char* kName = "progress";
  static constexpr Fields kFields{"progress", Field("operations", &Progressed::operations),
                                  Field("of", &Progressed::of)};
};

// The rest of a fill that --duration cut is about to be written (PlannedPhase::completed_for).
struct RestBegan {
  size_t phase = 0;
  uint64_t done = 0;   // Operations that were measured,
  uint64_t left = 0;   // and those that follow.
  double seconds = 0;  // That these take at the measured rate. 0: not known.
  static constexpr const char* kName = "rest";
  static constexpr Fields kFields{"the rest of a fill", Field("phase", &RestBegan::phase),
                                  Field("done", &RestBegan::done), Field("left", &RestBegan::left),
                                  Field("seconds", &RestBegan::seconds)};
};

// With --watch: the 99th percentile of the last interval.
struct Percentile99 {
  uint64_t latency_ns = 0;
  static constexpr const char* kName = "percentile_99";
  static constexpr Fields kFields{"a percentile", Field("latency_ns", &Percentile99::latency_ns)};
};

// The worker's instruments.
struct WorkerFacts {
  std::string clock;  // This and the next three as in RunResult.
  ClockKind clock_kind = ClockKind::kNotKnown;
  std::string allocator;
  std::string cpus;
  static constexpr const char* kName = "facts";
  static constexpr Fields kFields{"facts", Field("clock", &WorkerFacts::clock),
                                  Field("clock_kind", &WorkerFacts::clock_kind),
                                  Field("allocator", &WorkerFacts::allocator),
                                  Field("cpus", &WorkerFacts::cpus)};
};

// The facts of a cache. Its outcome is kUnsupported if it cannot be made as requested.
struct CacheDescribed {
  RunResult run;
  static constexpr const char* kName = "cache";
  static constexpr Fields kFields{"a cache", Field("run", &CacheDescribed::run)};
};

// The engine's configuration of its store, opened in that durability class.
struct StoreConfigured {
  std::string durability;
  std::string text;
  uint64_t round_trip_ns = 0;  // As in RunResult.
  static constexpr const char* kName = "configuration";
  static constexpr Fields kFields{"a configuration",
                                  Field("durability", &StoreConfigured::durability),
                                  Field("text", &StoreConfigured::text),
                                  Field("round_trip_ns", &StoreConfigured::round_trip_ns)};
};

// The processes that work for the store beside the worker (lf_engine::processes), as numbers.
struct ProcessesTold {
  std::vector<int> processes;
  static constexpr const char* kName = "processes";
  static constexpr Fields kFields{"processes", Field("processes", &ProcessesTold::processes)};
};

// A note for people about the run as a whole.
struct Noted {
  std::string text;
  static constexpr const char* kName = "note";
  static constexpr Fields kFields{"a note", Field("text", &Noted::text)};
};

// The store's present number of entries, counted as in StoreContent. 0 before it is changed.
struct StoreHolds {
  uint64_t entries = 0;
  static constexpr const char* kName = "entries";
  static constexpr Fields kFields{"entries", Field("entries", &StoreHolds::entries)};
};

// The findings about commits in that class (worker/audit.h).
struct Audited {
  std::string durability;
  Audit audit;
  static constexpr const char* kName = "audit";
  static constexpr Fields kFields{"an audit", Field("durability", &Audited::durability),
                                  Field("audit", &Audited::audit)};
};

// An interval of a completed phase. It precedes the phase's own message.
struct IntervalEnded {
  size_t phase = 0;
  PhaseInterval interval;
  static constexpr const char* kName = "interval";
  static constexpr Fields kFields{"an interval", Field("phase", &IntervalEnded::phase),
                                  Field("interval", &IntervalEnded::interval)};
};

struct PhaseEnded {
  size_t phase = 0;
  PhaseResult result;
  static constexpr const char* kName = "phase";
  static constexpr Fields kFields{"a phase", Field("phase", &PhaseEnded::phase),
                                  Field("result", &PhaseEnded::result)};
};

// What the driver does while the worker waits.
enum class Request {
  kEmptyDatabase,
  // The worker does not sync the files itself: closing a descriptor that it opened for that would
  // drop all locks that an engine has on the file (fcntl(2)).
  kSyncFiles,
  kLookAtPageCache,  // Finds how much of the store it has. The driver adds that to the phase.
  kDropPageCache,    // The same, after dropping the store from the page cache.
  kTimeSyncs,        // Times syncs of a file beside the store's. The driver adds that to the phase.
  kFindDirtyPages,   // In the store's files. The driver adds them to the next audit.
  kLiftMemoryLimit,  // While a store is loaded, which nobody measures.
  kHoldMemoryLimit,  // From here on again.
};
struct RequestMade {
  Request request = Request::kEmptyDatabase;
  static constexpr const char* kName = "ask";
  static constexpr Fields kFields{"a request", Field("request", &RequestMade::request)};
};

// The worker waits for its next turn: to begin a phase in slices, to continue it, or to go on after
// it. The answer is 8 bytes: the nanoseconds in which its device finished the work that was under
// way when the turn ended.
struct TurnEnded {
  size_t phase = 0;
  bool is_over = false;
  bool flushes = false;  // Flushes are measured, so its device must finish before others go on.
  static constexpr const char* kName = "turn";
  static constexpr Fields kFields{"a turn", Field("phase", &TurnEnded::phase),
                                  Field("over", &TurnEnded::is_over),
                                  Field("flushes", &TurnEnded::flushes)};
};

// The worker waits for the others of its fleet. The answer is a line, a GateAnswer.
struct GateReached {
  std::string gate;
  std::string tells = {};
  std::string failure = {};  // Why this rank cannot go on.
  bool compares_clocks = false;
  static constexpr const char* kName = "gate";
  static constexpr Fields kFields{"a gate", Field("gate", &GateReached::gate),
                                  Field("tells", &GateReached::tells),
                                  Field("failure", &GateReached::failure),
                                  Field("compares_clocks", &GateReached::compares_clocks)};
};

// The store was closed properly, for good.
struct StoreClosed {
  static constexpr const char* kName = "closed";
  static constexpr Fields kFields{"a closed store"};
};

// The failure of the run, outside any phase.
struct RunFailed {
  std::string message;
  static constexpr const char* kName = "failed";
  static constexpr Fields kFields{"a failure", Field("message", &RunFailed::message)};
};

struct Done {
  static constexpr const char* kName = "done";
  static constexpr Fields kFields{"the end"};
};

using Message =
    std::variant<StageBegan, Progressed, RestBegan, Percentile99, WorkerFacts, CacheDescribed,
                 StoreConfigured, ProcessesTold, Noted, StoreHolds, Audited, IntervalEnded,
                 PhaseEnded, RequestMade, TurnEnded, GateReached, StoreClosed, RunFailed, Done>;

// Nothing if the line is no message: an engine may write to any descriptor. An error if it is a
// message with a result that cannot be read.
StatusOr<std::optional<Message>> ParseMessage(const std::string& line);

std::string ToText(const Message& message);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_MESSAGES_H_
