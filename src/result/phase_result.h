// The outcome of one phase: a workload of a run, measured or not. Plain data. Each struct has its
// table of fields (fields.h), which docs/reference/result_format.md describes.
#ifndef LEVELFIELD_RESULT_PHASE_RESULT_H_
#define LEVELFIELD_RESULT_PHASE_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/boxed.h"
#include "base/durability_level.h"
#include "base/effects.h"
#include "result/cache_result.h"
#include "result/conditions.h"
#include "result/fields.h"
#include "result/medium.h"
#include "result/resources.h"
#include "result/time_series.h"
#include "stats/histogram.h"

namespace levelfield {

// How a phase or a run ended.
// Every outcome but kOk voids the numbers.
enum class Outcome {
  kOk,
  kWrong,        // The engine answered, but not what the model requires.
  kFailed,       // The engine failed, died, hung, or could not be opened.
  kUnsupported,  // The engine cannot do this, for a reason.
  kInterrupted,  // Ctrl-C.
  kNotRun,       // Something before it failed.
  kInvalid,      // The conditions void it (the clock ran away), or it contradicts itself.
  kSkipped,      // It would have destroyed data to be kept.
  kStopped,      // It ended before it filled the disk.
};

inline constexpr EnumName<Outcome> kOutcomeNames[] = {
    {Outcome::kOk, "ok"},
    {Outcome::kWrong, "wrong"},
    {Outcome::kFailed, "failed"},
    {Outcome::kUnsupported, "unsupported"},
    {Outcome::kInterrupted, "interrupted"},
    {Outcome::kNotRun, "not run"},
    {Outcome::kInvalid, "invalid"},
    {Outcome::kSkipped, "skipped"},
    {Outcome::kStopped, "stopped"},
};

constexpr std::span<const EnumName<Outcome>> NamesOf(Outcome) { return kOutcomeNames; }

// Why something failed, where its message is not the whole story.
enum class FailureCause {
  kNotKnown,  // The message has what is known.
  kDiskFull,
  kLowSpace,       // It was ended before it filled the disk (--space_guard).
  kMemoryLimit,    // --memory is less than it needs.
  kMachineMemory,  // The machine ran out of memory.
  kHung,           // No progress for --stall.
  kDied,           // Its process ended.
};
inline constexpr EnumName<FailureCause> kFailureCauseNames[] = {
    {FailureCause::kNotKnown, ""},
    {FailureCause::kDiskFull, "disk full"},
    {FailureCause::kLowSpace, "low space"},
    {FailureCause::kMemoryLimit, "memory limit"},
    {FailureCause::kMachineMemory, "machine out of memory"},
    {FailureCause::kHung, "hung"},
    {FailureCause::kDied, "died"},
};
constexpr std::span<const EnumName<FailureCause>> NamesOf(FailureCause) {
  return kFailureCauseNames;
}

// One kind of operation of a role, over all its threads.
struct OperationStatistics {
  std::string operation;
  // What it does to a store. Absent: the details are missing, so nothing follows from it.
  std::optional<Effects> effects = {};
  Lookup lookup = Lookup::kNone;
  uint64_t operations = 0;
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t bytes = 0;  // Key and value bytes of the hits.
  uint64_t digest = 0;
  uint64_t wrong = 0;
  std::optional<SparseHistogram> latency_ns;  // Service time, if each operation was timed.
  uint64_t entry_bytes = 0;  // Bytes of each hit if all have the same size. 0: sizes may differ.
  // In an open loop, from the time when it was due.
  std::optional<SparseHistogram> response_ns = {};

  bool Does(Effect effect) const { return effects && effects->Has(effect); }
  // It was undone: a transaction in favour of another.
  bool IsRolledBack() const { return Does(Effect::kWrites) && !Does(Effect::kCommits); }

  static constexpr Fields kFields{
      "an operation's result",
      Field("operation", &OperationStatistics::operation),
      Field("effects", &OperationStatistics::effects),
      Field("lookup", &OperationStatistics::lookup).UnlessEmpty(),
      Field("operations", &OperationStatistics::operations),
      Field("hits", &OperationStatistics::hits),
      Field("misses", &OperationStatistics::misses),
      Field("bytes", &OperationStatistics::bytes),
      Field("digest", &OperationStatistics::digest).Hexadecimal().InDetails(),
      Field("wrong", &OperationStatistics::wrong),
      Field("entry_bytes", &OperationStatistics::entry_bytes).UnlessEmpty(),
      Field("latency_ns", &OperationStatistics::latency_ns),
      Field("response_ns", &OperationStatistics::response_ns)};
};

// A part of one kind of operation, timed by itself as well; its operations are counted there.
struct OperationPart {
  std::string operation;  // The whole,
  std::string part;       // and what the part alone would be called.
  SparseHistogram latency_ns;

  static constexpr Fields kFields{
      "a part of an operation", Field("operation", &OperationPart::operation),
      Field("part", &OperationPart::part), Field("latency_ns", &OperationPart::latency_ns)};
};

// What the latencies of an open loop are (load_verdict.h).
enum class LoadOutcome {
  kOk,              // Exact.
  kNotSustainable,  // Nothing: the engine did not keep the rate.
  kLateGenerator,   // Upper bounds: our generator was late.
};
inline constexpr EnumName<LoadOutcome> kLoadOutcomeNames[] = {
    {LoadOutcome::kOk, "ok"},
    {LoadOutcome::kNotSustainable, "not sustainable"},
    {LoadOutcome::kLateGenerator, "late generator"},
};
constexpr std::span<const EnumName<LoadOutcome>> NamesOf(LoadOutcome) { return kLoadOutcomeNames; }

// One part of a rate that changes over time (stats/rate_curve.h): all the time that was spent in
// it, each time round.
struct LoadPart {
  double begin_seconds = 0;  // In the period of the rate,
  double end_seconds = 0;
  double rate = 0;  // and what was asked for then.
  double seconds = 0;
  uint64_t operations = 0;
  SparseHistogram service_ns;
  SparseHistogram response_ns;

  static constexpr Fields kFields{"a part of a rate that changes",
                                  Field("begin_seconds", &LoadPart::begin_seconds),
                                  Field("end_seconds", &LoadPart::end_seconds),
                                  Field("rate", &LoadPart::rate),
                                  Field("seconds", &LoadPart::seconds),
                                  Field("operations", &LoadPart::operations),
                                  Field("service_ns", &LoadPart::service_ns).InDetails(),
                                  Field("response_ns", &LoadPart::response_ns).InDetails()};
};

// The results of an open loop besides its latencies. The requested and achieved rates are in the
// role.
struct LoadResult {
  std::string arrival;  // "poisson", "constant", "trace".
  LoadOutcome verdict = LoadOutcome::kOk;
  SparseHistogram lateness_ns;  // How late the generator itself was.
  // The run in equal intervals. Each value is the age of the oldest due operation, averaged over
  // the interval and the threads. Empty if the run was too short.
  std::vector<uint64_t> backlog_ns = {};
  double interval_seconds = 0;
  std::vector<LoadPart> parts = {};  // None if the curve has very many.

  static constexpr Fields kFields{"an open loop's load",
                                  Field("arrival", &LoadResult::arrival),
                                  Field("verdict", &LoadResult::verdict),
                                  Field("interval_seconds", &LoadResult::interval_seconds),
                                  Field("backlog_ns", &LoadResult::backlog_ns),
                                  Field("parts", &LoadResult::parts).UnlessEmpty(),
                                  Field("lateness_ns", &LoadResult::lateness_ns).InDetails()};
};

// The part of a role's time that it is rated by, where that is not all of it: that in which all
// ranks of a fleet were under way. Its operations are counted by the ticks, and shares of ticks.
struct RatedPart {
  double operations = 0;
  double seconds = 0;

  static constexpr Fields kFields{"the rated part of a role",
                                  Field("operations", &RatedPart::operations),
                                  Field("seconds", &RatedPart::seconds)};
  bool operator==(const RatedPart&) const = default;
};

struct RoleResult {
  std::string name;
  uint64_t threads = 0;
  uint64_t batch = 1;         // Operations for each latency.
  uint64_t in_flight = 0;     // Of a thread, at most (--depth). 0: it waited for each answer.
  double seconds = 0;         // From the first thread's start to the last one's end.
  double thread_seconds = 0;  // The sum over its threads.
  std::vector<OperationStatistics> statistics;
  uint64_t rate = 0;  // Requested operations a second. 0: none. Of a curve the mean while it ran.
  std::string curve = {};  // How that changed (stats/rate_curve.h). Empty: it did not.
  uint64_t entries = 0;  // That the scans of a mix read.
  bool asks_for_absent_keys = false;  // Its workload has it so. Else a miss is a surprise.
  // For each thread, all operations together. Empty: the details are missing.
  std::vector<uint64_t> thread_operations = {};      // As the loop counted them for observers.
  std::vector<uint64_t> thread_calls = {};           // Calls of the engine. Each has one latency.
  std::optional<double> operations_per_second = {};  // As recorded in the result.
  std::optional<RatedPart> rated = {};               // Absent: all of its time.
  Boxed<LoadResult> load = {};                       // In an open loop.
  std::vector<OperationPart> parts = {};             // Of a read-modify-write of YCSB's.

  static constexpr Fields kFields{
      "a role's result",
      Field("name", &RoleResult::name),
      Field("threads", &RoleResult::threads),
      Field("batch", &RoleResult::batch),
      Field("in_flight", &RoleResult::in_flight).UnlessEmpty(),
      Field("rate", &RoleResult::rate),
      Field("curve", &RoleResult::curve).UnlessEmpty(),
      Field("entries", &RoleResult::entries).UnlessEmpty(),
      Field("asks_for_absent_keys", &RoleResult::asks_for_absent_keys).UnlessEmpty(),
      Field("seconds", &RoleResult::seconds),
      Field("thread_seconds", &RoleResult::thread_seconds),
      Field("thread_operations", &RoleResult::thread_operations).UnlessEmpty(),
      Field("thread_calls", &RoleResult::thread_calls).With("thread_operations"),
      Field("operations_per_second", &RoleResult::operations_per_second),
      Field("rated", &RoleResult::rated),
      Field("load", &RoleResult::load),
      Field("parts", &RoleResult::parts).UnlessEmpty(),
      Field("lanes", &RoleResult::statistics)};

  // Operations that were done. A transaction that was rolled back in favour of another was not.
  uint64_t Operations() const {
    uint64_t sum = 0;
    for (const OperationStatistics& stats : statistics)
      sum += stats.IsRolledBack() ? 0 : stats.operations;
    return sum;
  }
  double OperationsPerSecond() const {
    if (rated) return rated->seconds > 0 ? rated->operations / rated->seconds : 0;
    return seconds > 0 ? static_cast<double>(Operations()) / seconds : 0;
  }
};

// The part that one rank of a fleet had in a phase. The results of all ranks, merged, are the
// phase's.
struct RankShare {
  std::string id;  // The fleet's.
  uint64_t rank = 0;
  uint64_t of = 1;
  // From its first operation to its last, in rank 0's MonotonicNs, give or take the error.
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  uint64_t clock_error_ns = 0;

  static constexpr Fields kFields{"a rank's share",
                                  Field("id", &RankShare::id),
                                  Field("rank", &RankShare::rank),
                                  Field("of", &RankShare::of),
                                  Field("begin_ns", &RankShare::begin_ns),
                                  Field("end_ns", &RankShare::end_ns),
                                  Field("clock_error_ns", &RankShare::clock_error_ns)};
  bool operator==(const RankShare&) const = default;
};

// A phase of a fleet: what its ranks did together. It is rated while all of them were under way.
struct FleetResult {
  std::string id;
  uint64_t ranks = 0;
  double common_seconds = 0;  // In which all were under way.
  double span_seconds = 0;    // From the first operation of any rank to the last.
  uint64_t operations = 0;    // Of the first role, in the common time,
  uint64_t left_out = 0;      // and before and after it.
  uint64_t clock_error_ns = 0;
  std::vector<double> rank_seconds = {};  // How long each rank took, and for how many operations.
  std::vector<uint64_t> rank_operations = {};

  static constexpr Fields kFields{"a fleet's phase",
                                  Field("id", &FleetResult::id),
                                  Field("ranks", &FleetResult::ranks),
                                  Field("common_seconds", &FleetResult::common_seconds),
                                  Field("span_seconds", &FleetResult::span_seconds),
                                  Field("operations", &FleetResult::operations),
                                  Field("left_out", &FleetResult::left_out),
                                  Field("clock_error_ns", &FleetResult::clock_error_ns),
                                  Field("rank_seconds", &FleetResult::rank_seconds),
                                  Field("rank_operations", &FleetResult::rank_operations)};
  bool operator==(const FleetResult&) const = default;
};

// Which repetition of a workload that was requested several times (`name[X5-W1]`).
struct Repetition {
  uint64_t number = 0;  // From 1. 0: it was requested once.
  uint64_t of = 0;
  bool warm_up = false;  // Warm-ups are counted separately and are not part of an average.

  static constexpr Fields kFields{"a repetition", Field("number", &Repetition::number),
                                  Field("of", &Repetition::of),
                                  Field("warm_up", &Repetition::warm_up)};
  bool operator==(const Repetition&) const = default;
};

// Which act of a workload that changes over time. The acts before the last leave the check of their
// store to it.
struct ActNumber {
  uint64_t number = 0;  // From 1.
  uint64_t of = 0;

  static constexpr Fields kFields{"an act", Field("number", &ActNumber::number),
                                  Field("of", &ActNumber::of)};
  bool operator==(const ActNumber&) const = default;
};

// The work that a writing phase left to the engine's background (buffers to flush, compactions,
// checkpoints), and what it took to finish it before anything else began.
struct Settle {
  double seconds = 0;
  std::string how = {};    // "flush, wait_for_background", or why nothing was waited for.
  bool complete = true;    // Otherwise it was given up, and the next phase pays for the rest.
  double cpu_seconds = 0;  // The process's, over all threads.
  std::optional<uint64_t> dirtied_bytes = {};  // Defined as in Resources::Io.

  static constexpr Fields kFields{"the settling of a phase",
                                  Field("seconds", &Settle::seconds),
                                  Field("how", &Settle::how),
                                  Field("complete", &Settle::complete),
                                  Field("cpu_seconds", &Settle::cpu_seconds),
                                  Field("dirtied_bytes", &Settle::dirtied_bytes)};
  bool operator==(const Settle&) const = default;
};

// One rate of a sweep or of a search: the first role with all its operations together.
struct LoadStep {
  uint64_t rate = 0;
  double achieved = 0;
  double seconds = 0;
  LoadOutcome verdict = LoadOutcome::kOk;
  std::string message;  // Why it is not kOk.
  SparseHistogram service_ns;
  SparseHistogram response_ns;
  SparseHistogram lateness_ns;

  static constexpr Fields kFields{"a step of the load",
                                  Field("rate", &LoadStep::rate),
                                  Field("achieved", &LoadStep::achieved),
                                  Field("seconds", &LoadStep::seconds),
                                  Field("verdict", &LoadStep::verdict),
                                  Field("message", &LoadStep::message),
                                  Field("service_ns", &LoadStep::service_ns).InDetails(),
                                  Field("response_ns", &LoadStep::response_ns).InDetails(),
                                  Field("lateness_ns", &LoadStep::lateness_ns).InDetails()};
};

// The outcome of a search (--slo).
struct SloResult {
  std::string objective;  // "p99<1ms".
  uint64_t rate = 0;      // The highest rate that keeps the objective. 0: no tried rate kept it.
  // The lowest rate above it that missed the objective. 0: none did.
  uint64_t missed_rate = 0;
  bool is_at_least = false;  // Higher rates may keep it, but could not be measured.

  static constexpr Fields kFields{
      "what a search came to", Field("objective", &SloResult::objective),
      Field("rate", &SloResult::rate), Field("missed_rate", &SloResult::missed_rate).UnlessEmpty(),
      Field("is_at_least", &SloResult::is_at_least).UnlessEmpty()};
};

// An engine's commits watched one by one, outside any measurement (worker/audit.h): whether each of
// them was flushed before it was acknowledged.
struct Audit {
  uint64_t commits = 0;        // Puts, deletes and batches. Each was acknowledged before the next.
  uint64_t without_flush = 0;  // Commits without a durable call.
  uint64_t flushes = 0;        // Durable calls in all of them.
  uint64_t acknowledged_bytes = 0;  // Keys and values that were put.
  uint64_t written_bytes = 0;       // Passed to the kernel by calls meanwhile.
  // Pages of the store's files that are only in the page cache right after the last
  // acknowledgement. Absent if the kernel does not tell (cachestat, Linux 6.5). An engine's own
  // side files (locks, shared memory) may be among them.
  std::optional<uint64_t> dirty_pages = {};
  std::vector<std::pair<std::string, uint64_t>> dirty_files = {};
  // Counted on the whole device. Absent if there is no device.
  std::optional<uint64_t> device_flushes = {};
  std::string reason = {};  // Why there is no audit, or why it ended early.
  // Why there may have been more durable calls than were counted. Empty: the calls of all threads
  // and processes of the worker were counted.
  std::string uncounted = {};
  // Durable calls, from the opening of the store to its closing, that a phase's own counter misses
  // because they did not go through libc's functions in the worker itself
  // (probe/calls/call_tracer.h). Absent: nobody compared.
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

// How many entries the store held when the phase began, of those that its fill writes in all.
struct Held {
  uint64_t entries = 0;
  uint64_t of = 0;
  bool are_needed = false;  // The workload needs a loaded store.

  static constexpr Fields kFields{"what a store held", Field("entries", &Held::entries),
                                  Field("of", &Held::of), Field("needed", &Held::are_needed)};
  bool operator==(const Held&) const = default;
};

// The rest of a fill that --duration cut. It was written after the measurement, for the workloads
// behind it, and is in no other figure of the phase.
struct RestOfFill {
  std::string role;  // That fills.
  uint64_t operations = 0;
  double seconds = 0;

  static constexpr Fields kFields{"the rest of a fill", Field("role", &RestOfFill::role),
                                  Field("operations", &RestOfFill::operations),
                                  Field("seconds", &RestOfFill::seconds)};
  bool operator==(const RestOfFill&) const = default;
};

// How the answers of a phase were checked.
enum class AnswersChecked {
  kNotYet,
  kNone,
  kCounted,   // What the store contains is not known: hits and misses were counted, nothing judged.
  kReplayed,  // Their digest was computed anew from the model.
  kInTheLoop,   // Each value was checked when it was read.
  kRecomputed,  // Those of a library or the machine were computed again.
};
inline constexpr EnumName<AnswersChecked> kAnswersCheckedNames[] = {
    {AnswersChecked::kNotYet, ""},
    {AnswersChecked::kNone, "none"},
    {AnswersChecked::kCounted, "counted"},
    {AnswersChecked::kReplayed, "replayed"},
    {AnswersChecked::kInTheLoop, "in the loop"},
    {AnswersChecked::kRecomputed, "recomputed"},
};
constexpr std::span<const EnumName<AnswersChecked>> NamesOf(AnswersChecked) {
  return kAnswersCheckedNames;
}
struct HowChecked {
  AnswersChecked answers = AnswersChecked::kNotYet;
  bool is_store_verified = false;  // The store was reopened and read.

  bool operator==(const HowChecked&) const = default;
};
// "in the loop, verified". Results have these words.
inline std::string WordsOf(const HowChecked& checked) {
  const std::string answers(NameOf(checked.answers));
  if (!checked.is_store_verified) return answers;
  return answers.empty() ? "verified" : answers + ", verified";
}

struct PhaseResult {
  std::string workload;
  std::string family;
  std::string durability;  // The requested class.
  // That the engine claims for the class, at most `store_level`. kNone: it has no open store.
  DurabilityLevel level = DurabilityLevel::kNone;
  // At which an existing store was filled. kNone: the store was made for the run.
  DurabilityLevel store_level = DurabilityLevel::kNone;
  Outcome outcome = Outcome::kNotRun;
  std::string message;            // Why the outcome is not kOk.
  FailureCause cause = FailureCause::kNotKnown;
  // What its worker knows against its numbers. Until it is voided (analysis/validity.h).
  std::string void_because = {};
  bool implicit = false;          // Nobody requested it: it loaded the store for the next phase.
  bool timed = false;             // The clock was read per operation.
  std::vector<RoleResult> roles;  // The first role is shown in the row.
  std::string text;               // The engine's own text, if it was requested (stats).

  HowChecked checked = {};
  std::string check_detail;  // What was compared, or why nothing was.
  uint64_t verified_entries = 0;
  double open_seconds = 0;    // Before the phase, where it opened the store.
  double close_seconds = 0;   // After a writing phase.
  double reopen_seconds = 0;  // For the verification: the engine's recovery.
  uint64_t disk_bytes = 0;    // Allocated, after the phase.
  double clock_drift_ppm = 0;
  // The engine's own counters while it ran, by the engine's names.
  std::vector<std::pair<std::string, uint64_t>> counters;
  std::string note;  // A few words beside the number ("output: 55.1%").
  Repetition repetition = {};
  std::optional<ActNumber> act = {};  // Absent: it is none.
  // Sizes of the engine's files after the operations, if the engine tells them apart.
  std::vector<std::pair<std::string, uint64_t>> sizes = {};
  std::optional<Resources> resources = {};  // For its operations alone, without checks.
  // The largest allocation since the previous phase, looked at once a second and at the end of the
  // operations, and the bytes of the keys and values that the store then held, as they were read
  // back. 0: not known.
  uint64_t peak_disk_bytes = 0;
  uint64_t live_bytes = 0;
  std::optional<Conditions> conditions = {};  // The machine, while the operations ran.
  std::optional<MachineLimits> limits = {};   // The machine, just before.
  std::optional<PageCacheShare> page_cache = {};
  double run_seconds = 0;  // From before the first thread began until all had ended. 0: not known.
  // Absent: the phase wrote nothing, or left its deferred work to the next phase (--carry_debt).
  std::optional<Settle> settle = {};
  std::optional<Held> held = {};        // Absent: not known, or it fills a store or needs none.
  std::optional<RestOfFill> rest = {};  // Absent: nothing was left to write.
  // Open loops after this closed one, in their order.
  std::vector<LoadStep> load_steps = {};
  std::optional<SloResult> slo = {};
  // Made with a scratch store of the same engine, settings and class.
  Boxed<Audit> audit = {};
  Boxed<Medium> medium = {};              // Under its store, if it writes.
  std::optional<Ticks> ticks = {};        // What its threads had done, ten times a second.
  std::optional<SpaceSeries> space = {};  // While its threads ran. Absent if it ran none.
  Boxed<CacheResult> cache = {};          // For a phase on a cache, which has no store.
  Boxed<Slices> slices = {};              // Absent: it was measured in one piece.
  Boxed<RankShare> rank = {};             // Absent: no other process loaded its store.
  Boxed<FleetResult> fleet = {};          // Absent: it is of one process.

  // The text is all that it has, and stands behind no figures (--phase_property).
  bool IsText() const { return roles.empty() && !text.empty(); }

  static constexpr Fields kFields{
      "a phase's result",
      Field("workload", &PhaseResult::workload),
      Field("family", &PhaseResult::family),
      Field("durability", &PhaseResult::durability),
      Field("level", &PhaseResult::level),
      Field("outcome", &PhaseResult::outcome),
      Field("message", &PhaseResult::message),
      Field("cause", &PhaseResult::cause).UnlessEmpty(),
      Field("void_because", &PhaseResult::void_because).UnlessEmpty(),
      Field("implicit", &PhaseResult::implicit),
      Field("timed", &PhaseResult::timed),
      Field("checked", &PhaseResult::checked),
      Field("check_detail", &PhaseResult::check_detail).InDetails(),
      Field("verified_entries", &PhaseResult::verified_entries),
      Field("run_seconds", &PhaseResult::run_seconds),
      Field("open_seconds", &PhaseResult::open_seconds).InDetails(),
      Field("close_seconds", &PhaseResult::close_seconds).InDetails(),
      Field("reopen_seconds", &PhaseResult::reopen_seconds).InDetails(),
      Field("disk_bytes", &PhaseResult::disk_bytes),
      Field("peak_disk_bytes", &PhaseResult::peak_disk_bytes),
      Field("live_bytes", &PhaseResult::live_bytes),
      Field("clock_drift_ppm", &PhaseResult::clock_drift_ppm).InDetails(),
      Field("text", &PhaseResult::text).InDetails(),
      Field("note", &PhaseResult::note),
      Field("counters", &PhaseResult::counters).InDetails(),
      Field("sizes", &PhaseResult::sizes).InDetails(),
      Field("repetition", &PhaseResult::repetition).UnlessEmpty(),
      Field("act", &PhaseResult::act),
      Field("roles", &PhaseResult::roles),
      Field("resources", &PhaseResult::resources),
      Field("conditions", &PhaseResult::conditions),
      Field("ceilings", &PhaseResult::limits),
      Field("page_cache", &PhaseResult::page_cache),
      Field("audit", &PhaseResult::audit),
      Field("medium", &PhaseResult::medium),
      Field("store_level", &PhaseResult::store_level).UnlessEmpty(),
      Field("settle", &PhaseResult::settle),
      Field("held", &PhaseResult::held),
      Field("rest", &PhaseResult::rest),
      Field("load_steps", &PhaseResult::load_steps).UnlessEmpty(),
      Field("slo", &PhaseResult::slo),
      Field("ticks", &PhaseResult::ticks),
      Field("space", &PhaseResult::space),
      Field("cache", &PhaseResult::cache),
      Field("slices", &PhaseResult::slices),
      Field("rank", &PhaseResult::rank),
      Field("fleet", &PhaseResult::fleet)};
};

// What disturbed it. Empty if nobody looked.
inline std::vector<std::string> DisturbancesOf(const PhaseResult& phase) {
  return phase.conditions ? DisturbancesOf(*phase.conditions) : std::vector<std::string>();
}

// Whether operations were due at scheduled times, regardless of those before them.
inline bool HasLoad(const PhaseResult& phase) {
  return !phase.roles.empty() && phase.roles[0].load.has_value();
}

// Whether the answers behind its number were compared with the required ones.
inline bool IsChecked(const PhaseResult& phase) {
  return phase.checked.answers != AnswersChecked::kNone &&
         phase.checked.answers != AnswersChecked::kCounted;
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_PHASE_RESULT_H_
