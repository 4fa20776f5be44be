#include "run/worker.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <iostream>
#include <set>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/units.h"
#include "base/whole_file.h"
#include "engine/description.h"
#include "engine/loader.h"
#include "result/consistency.h"
#include "result/load_verdict.h"
#include "result/result_json.h"
#include "result/time_series_json.h"
#include "run/allocator.h"
#include "run/audit.h"
#include "run/backups.h"
#include "run/compat.h"
#include "run/condition_probe.h"
#include "run/configuration.h"
#include "run/events.h"
#include "run/file_system_settings.h"
#include "run/judge.h"
#include "run/load_settings.h"
#include "run/load_steps.h"
#include "run/medium_probe.h"
#include "run/operations/heap_profile.h"
#include "run/operations/store.h"
#include "run/original_streams.h"
#include "run/phase.h"
#include "run/plan.h"
#include "run/processors.h"
#include "run/resource_probe.h"
#include "run/settle.h"
#include "run/store_host.h"
#include "run/sync_probe.h"
#include "run/transactions.h"
#include "run/value_growth.h"
#include "run/value_size_settings.h"
#include "run/verify.h"
#include "run/warm_up.h"

namespace levelfield {
namespace {

constexpr double kMostDriftPpm = 50;
constexpr uint64_t kVerifySeconds = 60;
// Of what an engine says of itself; the event that tells it has to fit its pipe's line.
constexpr size_t kMostTextBytes = 1 << 20;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) { interrupted.store(true); }

// Progress lines, ten a second at the most.
class Ticker {
 public:
  explicit Ticker(EventWriter& events) : events_(events) {}
  void Tell(uint64_t operations, uint64_t of) {
    const uint64_t now = MonotonicNs();
    if (now - last_ns_ < 90'000'000) return;
    last_ns_ = now;
    events_.Progress(operations, of);
  }

 private:
  EventWriter& events_;
  uint64_t last_ns_ = 0;
};

SettingList HintsOf(const WorkerSpec& spec) {
  uint64_t keys = spec.settings.num;
  double value_bytes = ValueSizesOf(spec.settings).Mean();
  for (const PlannedPhase& phase : spec.phases) {
    for (const Role& role : phase.workload.roles) {  // Records have a size of their own.
      if (role.records != 0) value_bytes = std::max(value_bytes, role.value_size.Mean());
      if (role.operation != OperationKind::kTrace) continue;  // And so do a trace's keys.
      keys = std::max(keys, role.trace.keys);
      value_bytes = std::max(value_bytes, static_cast<double>(role.trace.live_bytes) /
                                              static_cast<double>(role.trace.keys));
    }
  }
  return {{"expected_keys", std::to_string(keys)},
          {"expected_value_bytes", fmt::format("{:.0f}", value_bytes)}};
}

// Blocks of what measures the machine come from the same pool, and have a limit of their own.
uint64_t LargestValue(const WorkerSpec& spec) {
  return std::max(ValueSizesOf(spec.settings).most(),
                  LargestValueOf(spec.phases, spec.origin.exists, spec.origin.largest_value));
}

double CpuSecondsOf(const PhaseRun& run) {
  uint64_t cpu_ns = 0;
  for (const RoleRun& role : run.roles) {
    for (const ThreadResult& result : role.results) cpu_ns += result.cpu_ns;
  }
  return static_cast<double>(cpu_ns) * 1e-9;
}

using Counters = std::vector<std::pair<std::string, uint64_t>>;

// What was counted in between; the engine gives the same counters each time.
Counters Since(const Counters& before, Counters after) {
  for (auto& [name, count] : after) {
    const auto it = std::ranges::find(before, name, &Counters::value_type::first);
    if (it != before.end()) count -= std::min(count, it->second);
  }
  return after;
}

class Worker {
 public:
  Worker(WorkerSpec spec, const Engine& engine, EventWriter& events)
      : spec_(std::move(spec)),
        events_(events),
        clock_(Clock::Calibrate(spec_.settings.clock == "tsc")),
        values_(spec_.salt, LargestValue(spec_), spec_.settings.compression_ratio,
                spec_.origin.value_format),
        original_(spec_.settings.compression_ratio),
        streams_(spec_.settings.dialect),
        key_shape_(KeyShapeOf(spec_.settings)),
        host_(engine, spec_.directory, spec_.engine_settings, HintsOf(spec_),
              key_shape_.kind == KeyKind::kInteger, events),
        backups_(spec_.settings, spec_.directory, spec_.engine),
        ticker_(events),
        resources_(spec_.directory),
        settle_resources_(spec_.directory) {
    if (spec_.origin.exists) expected_.StartAt(spec_.origin.first_version);
    entries_ = spec_.origin.entries;
    if (StatusOr<LoadAsked> load = LoadOf(spec_.settings); load.ok()) load_ = *load;
  }

  void Run() {
    events_.Clock(clock_.is_tsc() ? fmt::format("tsc, {:.3f} GHz", clock_.ticks_per_second() * 1e-9)
                                  : "CLOCK_MONOTONIC: " + clock_.reason());
    events_.Allocator(AllocatorInForce());
    events_.Processors(ProcessorsText(ProcessorsInForce()));
    for (size_t i = 0; i < spec_.phases.size(); ++i) {
      const PlannedPhase& phase = spec_.phases[i];
      PhaseResult result;
      result.workload = phase.workload.name;
      result.family = phase.workload.family;
      result.durability = phase.durability;
      result.implicit = phase.implicit;
      result.repetition = phase.repetition;
      result.timed = spec_.settings.histogram;
      if (interrupted.load()) {
        result.outcome = Outcome::kInterrupted;
      } else if (!ended_by_.empty()) {
        result.message = "not run: the store failed in " + ended_by_;
      } else {
        RunOne(i, phase, result);
        if (phase.workload.need != StoreNeed::kNone) result.live_bytes = live_bytes_;
        VoidIfInconsistent(result);
      }
      events_.Phase(i, ToJson(result));
    }
    events_.Stage(spec_.phases.size(), "close", true);
    double seconds = 0;
    const Status status = host_.Close(&seconds);
    if (!status.ok() && ended_by_.empty()) events_.Failed(status.message());
  }

 private:
  const lf_engine& table() const { return host_.engine().table(); }

  void RunOne(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    if (phase.workload.need == StoreNeed::kNone) return RunRoles(i, phase, {}, result);
    if (spec_.origin.exists &&
        (phase.workload.need == StoreNeed::kEmpty || !phase.workload.loader.empty())) {
      result.outcome = Outcome::kSkipped;
      result.message = "--use_existing_db is true";
      return;
    }
    const lf_durability* durability = table().durabilities;
    while (durability->name != nullptr && durability->name != phase.durability) ++durability;
    if (durability->name == nullptr || durability->level == LF_REFUSED) {
      result.outcome = Outcome::kUnsupported;
      result.message = durability->name != nullptr ? durability->settings : "no such class";
      return NoteFill(phase, result);
    }
    const KeyShape shape = KeyShapeOf(spec_.settings, phase.workload);
    const bool has_integers = shape.kind == KeyKind::kInteger;
    if (phase.workload.need == StoreNeed::kEmpty && has_integers && !Has(LF_INTEGER_KEYS)) {
      result.outcome = Outcome::kUnsupported;
      result.message = "its keys are strings of bytes: it has no integer keys";
      return NoteFill(phase, result);
    }
    if (phase.workload.need == StoreNeed::kLoaded && !unfilled_by_.empty()) {
      result.message =
          fmt::format("not run: {}, which was to load the store, could not run", unfilled_by_);
      return;
    }
    result.level = LevelName(durability->level);
    if (phase.implicit && Has(LF_NO_ANSWERS)) {  // What keeps nothing is never loaded.
      result.outcome = Outcome::kOk;
      return;
    }
    events_.Stage(i, "open", true);
    if (phase.workload.need == StoreNeed::kEmpty) {
      expected_.Clear();
      key_shape_ = shape;
      is_filled_ = true;
      unfilled_by_.clear();
      if (!Keep(host_.Empty(has_integers), phase, result)) return;
    }
    Status opened = host_.EnsureOpen(phase.durability, &result.open_seconds);
    // What this engine cannot do with the store that is there, it can do in none of the workloads.
    if (spec_.origin.exists && !opened.ok()) opened = Status::Failed(opened.message());
    if (!Keep(opened, phase, result)) return;
    if (told_classes_.insert(phase.durability).second) {
      events_.Configuration(phase.durability, ConfigurationOf(host_.store(), spec_.directory));
    }
    if (!MergesAsPuts() && std::ranges::any_of(phase.workload.roles, &Role::merges)) {
      result.outcome = Outcome::kUnsupported;
      result.message =
          "merges are checked as what the merge operator `put` makes of them, and another is "
          "chosen";
      return;
    }
    const Role& first = phase.workload.roles.front();
    if (GivesText(first.operation)) {
      AskForText(i, phase, result);
    } else if (first.operation == OperationKind::kBackup ||
               first.operation == OperationKind::kRestore) {
      RunCopy(i, phase, result);
    } else if (IsOfStore(first.operation)) {
      RunOnStore(i, phase, result);
    } else {
      RunAtLoad(i, phase, result);
    }
  }

  // Before the store is closed for its verification, which would reset what it counts.
  void AskForProperty(PhaseResult& result) {
    const std::string& name = spec_.settings.phase_property;
    if (name.empty() || result.outcome != Outcome::kOk) return;
    StatusOr<std::string> text = host_.store().Property(name);
    result.text =
        text.ok() ? std::move(*text) : fmt::format("{}: {}\n", name, text.status().message());
    if (result.text.size() > kMostTextBytes) result.text.resize(kMostTextBytes);
  }

  // Those of its files, where the engine tells them apart.
  void NoteSizes(PhaseResult& result) {
    const char* const* known = table().properties;
    for (; known != nullptr && *known != nullptr; ++known) {
      const std::string name = *known;
      if (name != "table_bytes" && name != "blob_bytes") continue;
      const StatusOr<std::string> text = host_.store().Property(name);
      const StatusOr<uint64_t> bytes = text.ok() ? ParseBytes(*text) : text.status();
      if (bytes.ok()) result.sizes.emplace_back(name, *bytes);
    }
  }

  // Whether what the engine's option says is what the model of the store knows.
  bool MergesAsPuts() const {
    return std::ranges::all_of(spec_.engine_settings, [](const auto& setting) {
      return setting.first != "merge_operator" || setting.second == "put";
    });
  }

  // A store that was never filled gives no numbers to what needs it loaded; one that was filled
  // before stays as it is.
  void NoteFill(const PlannedPhase& phase, const PhaseResult& result) {
    if (result.outcome == Outcome::kUnsupported && phase.workload.need == StoreNeed::kEmpty &&
        !is_filled_) {
      unfilled_by_ = phase.workload.name;
    }
  }

  void AskForText(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    events_.Stage(i, "run", true);
    const Role& role = phase.workload.roles.front();
    StatusOr<std::string> text = role.operation == OperationKind::kProperty
                                     ? host_.store().Property(role.property)
                                     : WriteHeapProfile(spec_.results_directory);
    if (!Keep(text.status(), phase, result)) return;
    result.outcome = Outcome::kOk;
    result.text = role.operation == OperationKind::kProperty ? std::move(*text)
                                                             : "heap profile: " + *text + "\n";
    if (result.text.size() <= kMostTextBytes) return;
    const size_t all = result.text.size();
    result.text.resize(kMostTextBytes);
    result.text += fmt::format("\n... cut here; {} bytes in all\n", all);
  }

  // Whether the run can go on; if not, the phase's result says why.
  bool Keep(const Status& status, const PlannedPhase& phase, PhaseResult& result) {
    if (status.ok()) return true;
    result.message = status.message();
    result.outcome = status.kind() == ErrorKind::kUsage ? Outcome::kUnsupported : Outcome::kFailed;
    if (result.outcome == Outcome::kFailed) ended_by_ = phase.workload.name;
    return false;
  }

  // A backup, or a store restored from the last one.
  void RunCopy(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    events_.Stage(i, "run", true);
    const Role& role = phase.workload.roles.front();
    const bool restores = role.operation == OperationKind::kRestore;
    RoleResult& summary = result.roles.emplace_back();
    summary.name = role.name;
    summary.threads = 1;
    LaneResult& lane = summary.lanes.emplace_back();
    lane.operation = OperationName(role.operation);
    uint64_t took_ns = 0;
    for (uint64_t n = 0; n < role.operations && !interrupted.load(); ++n) {
      const StatusOr<Backups::Copied> copied =
          restores ? backups_.Restore(host_.engine()) : backups_.Backup(host_.store(), expected_);
      if (!Keep(copied.status(), phase, result)) return;
      took_ns += copied->took_ns;
      ++lane.operations;
      ++lane.hits;
      lane.bytes += copied->bytes;
      if (!spec_.settings.histogram) continue;
      if (!lane.latency_ns) lane.latency_ns.emplace();
      lane.latency_ns->Add(copied->took_ns);
    }
    summary.seconds = summary.thread_seconds = static_cast<double>(took_ns) * 1e-9;
    streams_.EndedWithoutKeys(phase.workload.name, spec_.settings.threads);
    result.outcome = interrupted.load() ? Outcome::kInterrupted : Outcome::kOk;
    const double megabytes = static_cast<double>(lane.bytes) / (1 << 20);
    result.note = fmt::format("{:.1f} MB, {:.1f} MB/s", megabytes,
                              summary.seconds > 0 ? megabytes / summary.seconds : 0);
    if (result.outcome != Outcome::kOk) return;
    if (!restores) return VerifyWhatIsKept(i, phase, result);
    events_.Stage(i, "verify", false);
    const uint64_t start_ns = MonotonicNs();
    StatusOr<Store> store =
        Store::Open(host_.engine(), backups_.restored_path(), host_.SettingsWith(phase.durability));
    if (!Keep(store.status(), phase, result)) return;
    result.reopen_seconds = SecondsSince(start_ns);
    VerifyAgainst(*store, backups_.state(), "the restored store was opened and read back", phase,
                  result);
    (void)Keep(store->Close(), phase, result);
  }

  void RunOnStore(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    events_.Stage(i, "run", true);
    const Role& role = phase.workload.roles.front();
    const auto go_on = [&](uint64_t done) {
      ticker_.Tell(done, role.operations);
      return !interrupted.load();
    };
    RoleResult summary;
    const Counters before = host_.store().Counters();
    resources_.Begin();
    const uint64_t start_ns = MonotonicNs();
    const Status status =
        RunStoreOperations(role, phase.durability, spec_.settings.histogram, host_, go_on, summary);
    result.run_seconds = SecondsSince(start_ns);
    result.resources = resources_.End();
    // This thread did it.
    result.resources->foreground_seconds = std::exchange(result.resources->watcher_seconds, 0.0);
    // An opening of the store begins its counters anew.
    if (status.ok() && role.operation != OperationKind::kOpen) {
      result.counters = Since(before, host_.store().Counters());
    }
    if (status.ok()) NoteSizes(result);
    streams_.EndedWithoutKeys(phase.workload.name, spec_.settings.threads);
    result.roles.push_back(std::move(summary));
    if (!Keep(status, phase, result)) return;
    result.outcome = interrupted.load() ? Outcome::kInterrupted : Outcome::kOk;
    AskForProperty(result);
    if (result.outcome == Outcome::kOk) VerifyWhatIsKept(i, phase, result);
  }

  // Notes how much of the store the page cache has; before a workload that reads, with
  // --cache=cold, has it forget the store, which is closed meanwhile, with the engine's own caches.
  bool BeginCache(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    if (phase.workload.need == StoreNeed::kNone || Has(LF_VOLATILE) || Has(LF_NO_ANSWERS)) {
      return true;
    }
    const bool is_cold = spec_.settings.cache == "cold" &&
                         phase.workload.need == StoreNeed::kLoaded &&
                         !phase.workload.roles.front().changes_store();
    if (!is_cold) return Keep(events_.RequestPageCache(false), phase, result);
    events_.Stage(i, "drop", true);
    double seconds = 0;
    return Keep(host_.Close(&seconds), phase, result) &&
           Keep(events_.RequestPageCache(true), phase, result) &&
           Keep(host_.EnsureOpen(phase.durability, &result.open_seconds), phase, result);
  }

  // How the roles run: in a closed loop, or at a load; for so long, where it is not what the
  // settings say; and which step of several it is.
  struct RolesAsked {
    std::optional<PhaseLoad> load = {};
    double seconds = 0;
    uint64_t step = 0;
  };

  void RunAtLoad(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    if (!BeginCache(i, phase, result)) return;
    if (const TracePlan& trace = phase.workload.roles.front().trace; trace.speed > 0) {
      return RunRoles(i, phase, {.load = PhaseLoad{Arrival::kTrace, trace.Rate()}}, result);
    }
    if (phase.implicit || load_.kind == LoadAsked::Kind::kClosed) {
      return RunRoles(i, phase, {}, result);
    }
    if (!load_.has_steps()) {
      return RunRoles(i, phase, {.load = PhaseLoad{load_.arrival, load_.rate}}, result);
    }
    const double duration = spec_.settings.duration;
    RunRoles(i, phase, {.seconds = StepSeconds(load_, duration, 0)}, result);
    if (result.outcome != Outcome::kOk) return;
    RunLoadSteps(
        load_, duration, [&](const StepAsked& asked) { return RunStepOf(i, phase, asked, result); },
        result);
  }

  // One step of several; where it cannot go on, the phase's result says why.
  std::optional<LoadStep> RunStepOf(size_t i, const PlannedPhase& phase, const StepAsked& asked,
                                    PhaseResult& result) {
    PhaseResult of_step;
    of_step.workload = result.workload;
    RunRoles(i, phase,
             {.load = PhaseLoad{load_.arrival, asked.rate},
              .seconds = asked.seconds,
              .step = asked.number},
             of_step);
    VoidIfInconsistent(of_step);
    const bool has_verdict =
        !of_step.roles.empty() && of_step.roles.front().load &&
        (of_step.outcome == Outcome::kOk || of_step.roles.front().load->verdict != kLoadOk);
    if (!has_verdict) {
      result.outcome = of_step.outcome;
      result.message = fmt::format("at {} operations a second: {}", asked.rate, of_step.message);
      return std::nullopt;
    }
    const RoleResult& role = of_step.roles.front();
    return LoadStep{.rate = asked.rate,
                    .achieved = role.OperationsPerSecond(),
                    .seconds = role.seconds,
                    .verdict = role.load->verdict,
                    .message = of_step.message,
                    .service_ns = ServiceTimes(role),
                    .response_ns = ResponseTimes(role),
                    .lateness_ns = role.load->lateness_ns};
  }

  void RunRoles(size_t i, const PlannedPhase& phase, const RolesAsked& asked, PhaseResult& result) {
    const bool has_trace = phase.workload.roles.front().operation == OperationKind::kTrace;
    events_.Stage(i, has_trace ? "prepare" : "run", has_trace);
    if (std::ranges::any_of(phase.workload.roles, &Role::changes_store)) KnowEntries(0);
    // Repetitions are independent of each other: each has seeds of its own.
    Settings settings = phase.leads_in ? WarmUpSettings(spec_.settings) : spec_.settings;
    if (phase.repetition.number != 0) {
      settings.seed =
          DeriveSeed(settings.seed, "repetition", phase.repetition.warm_up ? "warm-up" : "",
                     phase.repetition.number);
    }
    if (asked.step != 0) settings.seed = DeriveSeed(settings.seed, "step", "", asked.step);
    if (asked.seconds > 0) settings.duration = asked.seconds;
    // A loader of records loads all of them: what asks for one knows that it is there.
    const Role& first = phase.workload.roles.front();
    const bool loads_records = first.records != 0 || first.trace.loads;
    if (loads_records && phase.workload.need == StoreNeed::kEmpty) settings.duration = 0;
    std::optional<TraceSteps> trace;
    if (has_trace) {
      StatusOr<TraceSteps> made = TraceSteps::Make(first.trace, first.threads, spec_.settings.seed,
                                                   expected_.NextVersion());
      if (!made.ok()) {
        (void)Keep(Status::Failed(made.status().message()), phase, result);
        return;
      }
      trace = std::move(*made);
      events_.Stage(i, "run", false);
    }
    const PhaseContext context{
        .workload = &phase.workload,
        .settings = &settings,
        .store = phase.workload.need == StoreNeed::kNone ? nullptr : &host_.store(),
        .values = &values_,
        .original = IsExact(spec_.settings) ? &original_ : nullptr,
        .streams = IsExact(spec_.settings) ? &streams_ : nullptr,
        .clock = &clock_,
        .key_shape = key_shape_,
        .first_version = expected_.NextVersion(),
        .layout_seed = spec_.settings.seed,
        .trace = trace ? &*trace : nullptr,
        .before = &expected_,
        .store_existed = spec_.origin.exists,
        .knows_values = spec_.origin.knows_values,
        .load = asked.load,
        .is_interrupted = [] { return interrupted.load(); },
        .report_progress = [&](uint64_t done, uint64_t of) { ticker_.Tell(done, of); },
        .report_percentile_99 = ReportOfPercentiles()};
    const bool has_transactions = first.operation == OperationKind::kTransaction;
    Counters32 counters;
    if (has_transactions && !ReadCounters(first, phase, counters, result)) return;
    if (!ProbeCeilings(i, phase, result)) return;
    const Counters before = context.store != nullptr ? context.store->Counters() : Counters();
    if (settings.duet && !Keep(events_.RequestStart(), phase, result)) return;
    conditions_.Begin();
    resources_.Begin();
    const uint64_t start_ns = MonotonicNs();
    const PhaseRun run = RunPhase(context);
    result.run_seconds = SecondsSince(start_ns);
    result.resources = resources_.End();
    result.resources->foreground_seconds = CpuSecondsOf(run);
    result.conditions =
        conditions_.End(result.resources->user_seconds + result.resources->system_seconds);
    if (context.store != nullptr) {
      result.counters = Since(before, context.store->Counters());
      NoteSizes(result);
    }
    if (run.code == LF_OK && !run.interrupted && !SettleDebt(i, phase, result)) return;
    result.roles = Summarize(phase.workload, run, spec_.settings.histogram);
    result.ticks = run.ticks;
    if (asked.step == 0) {  // Of several, the first stands for the phase.
      for (const PhaseInterval& interval : run.intervals) events_.Interval(i, ToJson(interval));
    }
    result.clock_drift_ppm = clock_.DriftPpm();
    if (run.code == LF_UNSUPPORTED) {
      result.outcome = Outcome::kUnsupported;
      result.message = run.error;
    } else if (run.code != LF_OK) {
      const Status status =
          Status::Failed(fmt::format("{}; the numbers are those until the error", run.error));
      (void)Keep(status, phase, result);
      return;
    } else {
      result.outcome = run.interrupted ? Outcome::kInterrupted : Outcome::kOk;
    }
    if (result.outcome == Outcome::kOk && phase.workload.need == StoreNeed::kNone) {
      JudgeMachine(run, result);
    } else if (result.outcome == Outcome::kOk) {
      events_.Stage(i, "check", true);
      if (spec_.origin.exists && !Has(LF_NO_ANSWERS)) {
        JudgeExisting(phase.workload, run, context.knows_values, entries_, result);
      } else {
        JudgeAnswers(phase.workload, run, expected_, stored_values(), !Has(LF_NO_ANSWERS), result);
      }
    }
    if (phase.workload.need == StoreNeed::kNone) {
      streams_.EndedWithoutKeys(phase.workload.name, spec_.settings.threads);
    } else {
      streams_.EndedPhase(DrawsOf(phase.workload, run));
    }
    const std::vector<WriteLayer> layers = LayersOf(phase.workload, run);
    for (const WriteLayer& layer : layers) {
      if (layer.windows) streams_.Wrote(*layer.windows, layer.shares.front().operations);
      expected_.Add(layer);
    }
    if (has_transactions && !Has(LF_NO_ANSWERS)) {
      CountersAfter after = Grow(first, run.roles.front(), counters);
      if (result.outcome == Outcome::kOk) JudgeTransactions(first, after, result);
      expected_.AddVersions(std::move(after.counters), first.value_size.most());
    }
    if (phase.workload.need != StoreNeed::kNone) AskForProperty(result);
    if ((!layers.empty() || has_transactions) && result.outcome == Outcome::kOk)
      VerifyWhatIsKept(i, phase, result);
    if (result.outcome == Outcome::kOk && std::abs(result.clock_drift_ppm) > kMostDriftPpm) {
      result.outcome = Outcome::kInvalid;
      result.message = fmt::format(
          "the time-stamp counter ran away from CLOCK_MONOTONIC by {:.0f} ppm (a migration or a "
          "suspend); run it again, or with --clock=monotonic",
          result.clock_drift_ppm);
    }
    VoidIfLoadIsNotKept(result);
  }

  // What the phase cannot surpass, and whether its class can be had here at all.
  bool ProbeCeilings(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    if (phase.workload.need == StoreNeed::kNone) return true;
    result.ceilings.emplace().copy_bytes_per_second = copy_bytes_per_second_;
    const bool writes = std::ranges::any_of(phase.workload.roles,
                                            [](const Role& role) { return role.changes_store(); });
    if (result.level != LevelName(LF_D4_SYNCED) || !writes) return true;
    const Medium& medium =
        result.medium.emplace(MediumOf(spec_.directory, JournalPlaceOf(spec_.settings)));
    if (const std::string eater = SyncEaterIn(ReadAll("/proc/self/maps")); !eater.empty()) {
      result.outcome = Outcome::kInvalid;
      result.message = fmt::format(
          "not durable: {} is preloaded, which has syncs do nothing; run it without", eater);
      return false;
    }
    if (!medium.volatile_because.empty() && !spec_.settings.allow_volatile) {
      result.outcome = Outcome::kUnsupported;
      result.message = fmt::format(
          "the store is on {}: nothing there is synced; give --db on a disk, or --allow_volatile "
          "for a number that says so",
          medium.volatile_because);
      return false;
    }
    events_.Stage(i, "probe", true);
    const bool is_known = Keep(events_.RequestSyncProbe(), phase, result);
    events_.Stage(i, "run", false);
    return is_known;
  }

  // What a phase that writes has left to the engine's background, before anything else begins.
  bool SettleDebt(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    const bool writes = std::ranges::any_of(phase.workload.roles,
                                            [](const Role& role) { return role.changes_store(); });
    if (!writes || phase.workload.need == StoreNeed::kNone || spec_.settings.carry_debt) {
      return true;
    }
    events_.Stage(i, "settle", true);
    settle_resources_.Begin();
    StatusOr<Settle> settle =
        SettleStore(host_.store(), result, SettleRule(), [&](uint64_t ms, uint64_t of) {
          ticker_.Tell(ms, of);
          return !interrupted.load();
        });
    if (!Keep(settle.status(), phase, result)) return false;
    const Resources used = settle_resources_.Used();
    settle->cpu_seconds = used.user_seconds + used.system_seconds;
    if (used.io) settle->dirtied_bytes = used.io->dirtied_bytes;
    result.settle = std::move(*settle);
    return true;
  }

  // What the transactions of the role begin with; false where they cannot, and the result says why.
  bool ReadCounters(const Role& role, const PlannedPhase& phase, Counters32& counters,
                    PhaseResult& result) {
    if (Has(LF_NO_ANSWERS)) return true;
    StatusOr<Session> session = host_.store().BeginSession();
    if (!Keep(session.status(), phase, result)) return false;
    StatusOr<Counters32> read = CountersBefore(role, expected_, spec_.origin.exists, values_,
                                               key_shape_, *session, table());
    if (!Keep(read.status(), phase, result)) return false;
    counters = std::move(*read);
    return true;
  }

  const StoredValues& stored_values() const {
    if (IsExact(spec_.settings)) return original_;
    return values_;
  }
  bool Has(uint32_t capability) const { return host_.engine().Has(capability); }

  // What the page cache still owes of the writes is on the device then, and counted there.
  void SyncWhatWasWritten(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    if (!result.resources || !result.resources->device || Has(LF_VOLATILE)) return;
    if (spec_.settings.carry_debt) return;  // What comes next is to begin at once.
    events_.Stage(i, "sync", true);
    if (!Keep(events_.RequestSync(), phase, result)) return;
    result.resources->synced_device = resources_.DeviceSinceBegin();
  }

  // With --watch; else nobody asks for any.
  std::function<void(uint64_t)> ReportOfPercentiles() {
    if (!spec_.settings.watch) return nullptr;
    return [this](uint64_t latency_ns) { events_.Percentile99(latency_ns); };
  }

  // How many entries the store is known to have, for those who open it again.
  void KnowEntries(uint64_t entries) {
    if (entries == entries_) return;
    entries_ = entries;
    events_.Entries(entries);
  }

  // Closes the store, opens it again and reads it all.
  void VerifyWhatIsKept(size_t i, const PlannedPhase& phase, PhaseResult& result) {
    SyncWhatWasWritten(i, phase, result);
    if (result.outcome != Outcome::kOk) return;
    if (Has(LF_NO_ANSWERS)) {
      result.checked = "none";
      result.check_detail = "the engine keeps nothing, so its answers mean nothing";
      return;
    }
    if (spec_.origin.exists && expected_.Empty()) {
      result.checked = "none";
      result.check_detail = "the store was there before, so what it has to hold is not known";
      return;
    }
    if (!Has(LF_VOLATILE)) {
      events_.Stage(i, "close", true);
      if (!Keep(host_.Close(&result.close_seconds), phase, result)) return;
      events_.Stage(i, "reopen", true);
      if (!Keep(host_.EnsureOpen(phase.durability, &result.reopen_seconds), phase, result)) return;
    }
    events_.Stage(i, "verify", false);
    live_bytes_ = 0;
    VerifyAgainst(host_.store(), expected_,
                  Has(LF_VOLATILE) ? "read back" : "reopened and read back", phase, result);
    const bool is_dense = expected_.IsComplete() && result.verified_entries == expected_.Range();
    if (result.outcome == Outcome::kOk && is_dense) KnowEntries(result.verified_entries);
  }

  // Reads all of the store, or of one that was there before what this run has written.
  void VerifyAgainst(Store& store, const ExpectedState& state, const std::string& how,
                     const PlannedPhase& phase, PhaseResult& result) {
    if (spec_.origin.exists && state.Empty()) {
      result.checked = "none";
      result.check_detail = "the store was there before, so what it has to hold is not known";
      return;
    }
    StatusOr<Session> session = store.BeginSession();
    if (!session.ok()) {
      (void)Keep(session.status(), phase, result);
      return;
    }
    const uint64_t start_ns = MonotonicNs();
    const auto progress = [&](uint64_t done, uint64_t of) {
      ticker_.Tell(done, of);
      return !interrupted.load() && MonotonicNs() - start_ns < kVerifySeconds * 1'000'000'000;
    };
    const auto verify = spec_.origin.exists ? VerifyTouched : VerifyStore;
    const Verification verification =
        verify(*session, table(), state, stored_values(), key_shape_, progress);
    result.verified_entries = verification.entries;
    live_bytes_ = verification.bytes;
    result.check_detail = (result.check_detail.empty() ? "" : result.check_detail + "; ") +
                          fmt::format("{}: {}", how, verification.extent);
    result.checked = result.checked.empty() ? "verified" : result.checked + ", verified";
    if (verification.code != LF_OK) {
      (void)Keep(Status::Failed("verification: " + verification.error), phase, result);
    } else if (!verification.difference.empty()) {
      result.outcome = Outcome::kWrong;
      result.message = "wrong content: " + verification.difference;
      ended_by_ = phase.workload.name;
    }
  }

  WorkerSpec spec_;
  EventWriter& events_;
  Clock clock_;
  ValueSource values_;
  OriginalValues original_;  // With --compat=exact, this and the next are used instead.
  OriginalStreams streams_;
  KeyShape key_shape_;  // Of the store's keys.
  StoreHost host_;
  Backups backups_;
  Ticker ticker_;
  ResourceProbe resources_;
  ResourceProbe settle_resources_;
  ConditionProbe conditions_;
  const double copy_bytes_per_second_ = MeasureCopies();
  LoadAsked load_;
  ExpectedState expected_;
  uint64_t entries_ = 0;     // StoreContent's, as the driver knows it.
  uint64_t live_bytes_ = 0;  // Of the store as it was last read back; 0: not all of it was.
  // The workload that was to fill the store and could not, where nothing has filled it before.
  std::string unfilled_by_;
  bool is_filled_ = false;
  std::set<std::string> told_classes_;  // Of durability, whose configuration has been told.
  std::string ended_by_;                // The workload in which the store failed; empty: none yet.
};

StatusOr<WorkerSpec> ReadSpec() {
  size_t length = 0;
  if (!(std::cin >> length) || std::cin.get() != '\n') {
    return Status::Failed("a worker got no specification");
  }
  std::string text(length, '\0');
  if (!std::cin.read(text.data(), static_cast<std::streamsize>(length))) {
    return Status::Failed("a worker's specification was cut off");
  }
  return WorkerSpecFromText(text);
}

Status RunSpec(EventWriter& events) {
  StatusOr<WorkerSpec> spec = ReadSpec();
  if (!spec.ok()) return spec.status();
  // Before the engine is loaded, which may begin threads at once.
  if (!spec->settings.cpus.empty()) {
    const StatusOr<std::vector<int>> processors = ParseProcessors(spec->settings.cpus);
    if (!processors.ok()) return processors.status();
    if (const Status status = RunOnProcessors(*processors); !status.ok()) return status;
  }
  const StatusOr<EngineSpec> engine_spec = ParseEngineSpec(spec->engine);
  if (!engine_spec.ok()) return engine_spec.status();
  const StatusOr<Engine> engine = LoadEngine(*engine_spec, EngineDirectory());
  if (!engine.ok()) return engine.status();
  if (spec->audits) {
    AuditClasses(*spec, *engine, events);
  } else {
    Worker(std::move(*spec), *engine, events).Run();
  }
  return Status::Ok();
}

}  // namespace

int RunWorker() {
  std::ios::sync_with_stdio(false);
  std::cin.rdbuf()->pubsetbuf(nullptr, 0);  // The answers behind the specification are read raw.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  EventWriter events(kEventFd);
  const Status status = RunSpec(events);
  if (!status.ok()) events.Failed(status.message());
  events.Done();
  return 0;
}

}  // namespace levelfield
