// What the driver and a worker say to each other. The driver sends one WorkerSpec at the begin. The
// worker tells what happens as messages, JSON lines on a pipe. It asks for what the driver alone
// does: the driver removes files, and looks at the store from outside the measured process.
#ifndef LEVELFIELD_PLAN_MESSAGES_H_
#define LEVELFIELD_PLAN_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "plan/plan.h"
#include "result/fields.h"
#include "result/phase_result.h"
#include "result/result.h"
#include "settings/settings.h"

namespace levelfield {

// What is in the store before the worker starts.
struct StoreOrigin {
  bool exists = false;         // It was made before this run, and nothing in it is destroyed.
  bool knows_values = false;   // All its values are of this salt, and name their version.
  uint64_t largest_value = 0;  // Of those.
  ValueFormat value_format = ValueFormat::kDistinct;
  uint32_t first_version = 1;   // That nobody has written to it yet.
  uint64_t entries = 0;         // StoreContent's.
  bool read_only = false;       // The engine opens it without changing a byte.
  std::string kept = {};        // Why nothing is written to it; empty: it may be.
  std::string durability = {};  // StoreContent's.
  bool cut_off = false;         // StoreContent's.
  static constexpr Fields kFields{"a store's origin",
                                  Field("exists", &StoreOrigin::exists),
                                  Field("knows_values", &StoreOrigin::knows_values),
                                  Field("largest_value", &StoreOrigin::largest_value),
                                  Field("value_format", &StoreOrigin::value_format),
                                  Field("first_version", &StoreOrigin::first_version),
                                  Field("entries", &StoreOrigin::entries),
                                  Field("read_only", &StoreOrigin::read_only),
                                  Field("kept", &StoreOrigin::kept),
                                  Field("durability", &StoreOrigin::durability),
                                  Field("cut_off", &StoreOrigin::cut_off)};
};

// A measurement of a cache alone (cache_bench). The words are those that the program was given.
struct CacheAsked {
  std::vector<std::string> words;
  std::string phase = {};  // As results name it.
  bool payload = false;
  uint64_t threads = 0;  // 0: nothing is measured, and the cache is described.
};

// Everything that a worker needs, and its text form for the pipe.
struct WorkerSpec {
  std::string engine;           // The spec.
  SettingList engine_settings;  // Canonical; durability and hints come from the phases.
  Settings settings;
  std::vector<PlannedPhase> phases = {};
  std::string directory;               // Of the database; exists.
  std::string results_directory = {};  // For files that belong to the results; exists.
  uint64_t salt = 0;
  double ticks_per_second = 0;  // Of the processor's counter; 0: time is CLOCK_MONOTONIC.
  StoreOrigin origin = {};
  // Bytes of a dummy argument of the worker, so that its stack begins elsewhere each time. Where it
  // begins can change more than what is compared (Mytkowicz et al., ASPLOS 2009).
  uint64_t padding_bytes = 0;
  bool takes_turns = false;              // It runs in slices what can be (result/slices.h).
  bool audits = false;                   // It looks at commits (worker/audit.h), and runs no phase.
  std::optional<CacheAsked> cache = {};  // Then the engine is a cache, and there is no store.
};

std::string ToText(const WorkerSpec& spec);
StatusOr<WorkerSpec> WorkerSpecFromText(const std::string& text);

// Each message is a struct with its name on the pipe and a row for each member (result/fields.h).

// "open", "run", "settle", "check", "verify", "close". A slow one may take longer than others
// without progress: the engine is at it alone.
struct StageBegan {
  size_t phase = 0;
  std::string stage;
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

// With --watch: the 99th percentile of the last interval.
struct Percentile99 {
  uint64_t latency_ns = 0;
  static constexpr const char* kName = "percentile_99";
  static constexpr Fields kFields{"a percentile", Field("latency_ns", &Percentile99::latency_ns)};
};

// What the worker measures with.
struct WorkerFacts {
  std::string clock;
  std::string allocator;
  std::string cpus;  // Those that it can run on.
  static constexpr const char* kName = "facts";
  static constexpr Fields kFields{"facts", Field("clock", &WorkerFacts::clock),
                                  Field("allocator", &WorkerFacts::allocator),
                                  Field("cpus", &WorkerFacts::cpus)};
};

// What a cache is and how it is made. Its outcome is kUnsupported where it cannot be made so.
struct CacheDescribed {
  RunResult run;
  static constexpr const char* kName = "cache";
  static constexpr Fields kFields{"a cache", Field("run", &CacheDescribed::run)};
};

// What the engine says that its store is configured as, opened in that durability class.
struct StoreConfigured {
  std::string durability;
  std::string text;
  static constexpr const char* kName = "configuration";
  static constexpr Fields kFields{"a configuration",
                                  Field("durability", &StoreConfigured::durability),
                                  Field("text", &StoreConfigured::text)};
};

// For people, about the run as a whole.
struct Noted {
  std::string text;
  static constexpr const char* kName = "note";
  static constexpr Fields kFields{"a note", Field("text", &Noted::text)};
};

// What the store holds now, as StoreContent counts it; 0 before it is changed.
struct StoreHolds {
  uint64_t entries = 0;
  static constexpr const char* kName = "entries";
  static constexpr Fields kFields{"entries", Field("entries", &StoreHolds::entries)};
};

// What was seen of the commits in that class (worker/audit.h).
struct Audited {
  std::string durability;
  Audit audit;
  static constexpr const char* kName = "audit";
  static constexpr Fields kFields{"an audit", Field("durability", &Audited::durability),
                                  Field("audit", &Audited::audit)};
};

// An interval of a phase that has run. It comes before the phase itself.
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

// What the driver is to do while the worker waits.
enum class Request {
  kEmptyDatabase,
  // The worker does not sync the files itself: closing a file that was opened for it would take
  // away all locks that an engine has on it (fcntl(2)).
  kSyncFiles,
  kLookAtPageCache,  // How much of the store it has. The driver adds what it found to the phase.
  kDropPageCache,    // The same, once the page cache has forgotten the store.
  kTimeSyncs,        // Of a file beside the store's. The driver adds it to the phase.
  kFindDirtyPages,   // Of the store's files. The driver adds them to the next audit.
};
struct RequestMade {
  Request request = Request::kEmptyDatabase;
  static constexpr const char* kName = "ask";
  static constexpr Fields kFields{"a request", Field("request", &RequestMade::request)};
};

// The worker waits for its next turn: to begin a phase in slices, to go on with it, or, when it is
// over, with what follows. The answer is 8 bytes: the nanoseconds in which its device ended what
// was under way when the turn ended.
struct TurnEnded {
  size_t phase = 0;
  bool is_over = false;
  bool flushes =
      false;  // Flushes are what is measured: its device is to be done before others go on.
  static constexpr const char* kName = "turn";
  static constexpr Fields kFields{"a turn", Field("phase", &TurnEnded::phase),
                                  Field("over", &TurnEnded::is_over),
                                  Field("flushes", &TurnEnded::flushes)};
};

// The store, in good order, for good.
struct StoreClosed {
  static constexpr const char* kName = "closed";
  static constexpr Fields kFields{"a closed store"};
};

// The run, outside of any phase.
struct RunFailed {
  std::string message;
  static constexpr const char* kName = "failed";
  static constexpr Fields kFields{"a failure", Field("message", &RunFailed::message)};
};

struct Done {
  static constexpr const char* kName = "done";
  static constexpr Fields kFields{"the end"};
};

using Message = std::variant<StageBegan, Progressed, Percentile99, WorkerFacts, CacheDescribed,
                             StoreConfigured, Noted, StoreHolds, Audited, IntervalEnded, PhaseEnded,
                             RequestMade, TurnEnded, StoreClosed, RunFailed, Done>;

// Nothing where the line is no message: an engine may write to any descriptor. An error where it is
// one that brings a result which cannot be read.
StatusOr<std::optional<Message>> ParseMessage(const std::string& line);

// The worker's end of the pipe. Used by its main thread.
class MessageWriter {
 public:
  explicit MessageWriter(int fd) : fd_(fd) {}

  void Send(const Message& message);
  // Waits for the driver, whose answer comes on standard input.
  Status Ask(Request request);
  // The same for the next turn: the time to charge. Nothing where it is interrupted meanwhile, or
  // the driver is gone.
  std::optional<uint64_t> AwaitTurn(const TurnEnded& turn,
                                    const std::function<bool()>& is_interrupted);

 private:
  int fd_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_MESSAGES_H_
