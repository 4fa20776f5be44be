#include "run/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "base/clock.h"
#include "base/random.h"
#include "base/utc.h"
#include "base/version.h"
#include "result/consistency.h"
#include "result/cost.h"
#include "result/result_json.h"
#include "result/series.h"
#include "result/statistics.h"
#include "run/audit.h"
#include "run/compat.h"
#include "run/free_space.h"
#include "run/interval_report.h"
#include "run/preflight.h"
#include "run/progress_view.h"
#include "run/result_directory.h"
#include "run/schedule.h"
#include "run/store_directory.h"
#include "run/supervisor.h"
#include "run/value_growth.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

// An engine that hangs does so in its phases too, where it is told.
constexpr double kAuditStallSeconds = 5;

std::string LabelOf(const ProbeReply& engine) {
  const std::string_view version = engine.description.Fact("version");
  if (version.empty() || engine.description.Has(LF_FLOOR)) return engine.engine;
  return fmt::format("{} {}", engine.engine.substr(0, engine.engine.find_first_of("@:")), version);
}

std::string BaseName(const std::string& engine) {
  return engine.substr(0, engine.find_first_of("@:"));
}

// What the phases that will run are about to write.
void AddValueSizes(const std::vector<PlannedPhase>& phases, StoreContent& content) {
  const bool is_new = content.opened == 0;
  for (const PlannedPhase& phase : phases) {
    if (!is_new && phase.workload.need == StoreNeed::kEmpty) continue;
    for (const Role& role : phase.workload.roles) {
      if (!Writes(role.operation) || role.operation == OperationKind::kErase) continue;
      content.smallest_value = std::min(content.smallest_value, role.smallest_value());
    }
  }
  content.largest_value = LargestValueOf(phases, !is_new, content.largest_value);
  content.smallest_value = std::min(content.smallest_value, content.largest_value);
}

// The keys of the last workload that fills the store; one with integer keys leaves the store of an
// engine that has none as it was.
KeyShape KeysLeftBy(const Plan& plan, const ProbeReply& engine) {
  KeyShape keys = KeyShapeOf(plan.settings);
  for (const PlannedPhase& phase : plan.phases) {
    if (phase.workload.need != StoreNeed::kEmpty) continue;
    const KeyShape shape = KeyShapeOf(plan.settings, phase.workload);
    if (shape.kind != KeyKind::kInteger || engine.description.Has(LF_INTEGER_KEYS)) keys = shape;
  }
  return keys;
}

class Driver : private RunObserver {
 public:
  Driver(const Plan& plan, RunListener* listener)
      : plan_(plan),
        listener_(listener),
        view_(EngineNames(plan), WorkloadNames(plan), plan.settings.stats_interval,
              plan.settings.stats_interval_seconds, plan.settings.watch) {}

  DriverReport Run() {
    DriverReport report;
    nlohmann::ordered_json engines = nlohmann::ordered_json::array();
    for (const ProbeReply& engine : plan_.engines) {
      if (engine.is_loaded) engines.push_back(ToJson(engine.description));
    }
    if (report.status = MakeIntervalReport(); !report.status.ok()) return report;
    StatusOr<ResultDirectory> directory = ResultDirectory::Create(
        plan_.settings, plan_.command, plan_.phases, engines, plan_.settings.db);
    if (!directory.ok()) {
      report.status = directory.status();
      return report;
    }
    results_ = &*directory;
    report.directory = directory->path();
    if (listener_ != nullptr) listener_->Began(report.directory);
    AddPrices();
    for (round_ = 0; !interrupted_ && status_.ok() && IsAnotherRoundDue(); ++round_) {
      for (const size_t engine : OrderOfRound(plan_.engines.size(), round_, plan_.settings.seed)) {
        if (interrupted_ || !status_.ok()) break;
        if (given_up_.contains(engine)) continue;
        engine_ = engine;
        RunOne(plan_.engines[engine]);
        ++run_;
      }
    }
    report.status = status_;
    report.interrupted = interrupted_;
    return report;
  }

 private:
  static std::vector<std::string> EngineNames(const Plan& plan) {
    std::vector<std::string> names;
    for (uint64_t round = 0; round < plan.settings.repeat; ++round) {
      for (const size_t i : OrderOfRound(plan.engines.size(), round, plan.settings.seed)) {
        names.push_back(plan.engines[i].engine);
      }
    }
    return names;
  }
  static std::vector<std::string> WorkloadNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlannedPhase& phase : plan.phases) names.push_back(phase.workload.name);
    return names;
  }

  void AddPrices() {
    const StatusOr<std::vector<Price>> prices =
        MeasurePrices(plan_.price, results_->path(), interrupted_);
    Keep(prices.status());
    if (!prices.ok()) return;
    for (const Price& price : *prices) Keep(results_->AddPrice(price));
  }

  Status MakeIntervalReport() {
    const Settings& settings = plan_.settings;
    if (settings.report_file.empty()) return Status::Ok();
    StatusOr<IntervalReport> report =
        IntervalReport::Create(settings.report_file, settings.report_interval_seconds);
    if (!report.ok()) return report.status();
    intervals_.emplace(std::move(*report));
    return Status::Ok();
  }

  void StageBegan(size_t phase, const std::string& stage) override {
    if (!intervals_ || phase >= plan_.phases.size()) return;
    if (stage == "run") {
      intervals_->Begin(plan_.engines[engine_].engine, plan_.phases[phase].workload.name,
                        MonotonicNs());
    } else {
      intervals_->End(MonotonicNs());
    }
  }

  void Progressed(uint64_t operations) override {
    if (intervals_) intervals_->Progress(operations, MonotonicNs());
  }

  void CompleteIntervals(const PhaseResult& phase) {
    if (!intervals_) return;
    intervals_->End(MonotonicNs());
    intervals_->Complete(phase.roles.empty() ? 0 : phase.roles.front().Operations());
    Keep(intervals_->status());
  }

  void RunOne(const ProbeReply& engine) {
    view_.BeginRun(run_, engine.engine);
    next_phase_ = 0;
    worst_ = Outcome::kOk;
    RunResult result = Describe(engine);
    result.round = round_ + 1;
    result.seed = SeedOfRound();
    result.padding_bytes = PaddingBytes();
    if (!engine.status.ok()) {
      result.outcome =
          engine.status.kind() == ErrorKind::kUsage ? Outcome::kUnsupported : Outcome::kFailed;
      result.message = engine.status.message();
      view_.Say(fmt::format("{}: {}", OutcomeName(result.outcome), result.message));
    } else {
      if (round_ == 0) AuditCommits(engine);
      if (interrupted_) {
        result.outcome = Outcome::kInterrupted;
      } else {
        RunInStore(engine, result);
      }
    }
    FillMissingPhases(result);
    if (result.outcome != Outcome::kOk && result.outcome != Outcome::kInvalid) {
      given_up_.insert(engine_);
    }
    Keep(results_->AddRun(run_, result));
  }

  RunResult Describe(const ProbeReply& engine) const {
    RunResult result;
    result.engine = engine.engine;
    result.label = LabelOf(engine);
    result.version = engine.description.Fact("version");
    result.warning = engine.description.Fact("warning");
    result.library_path = engine.description.library_path;
    result.library_sha256 = engine.description.library_sha256;
    result.floor = engine.description.Has(LF_FLOOR);
    result.settings = engine.options.settings;
    result.notes = engine.options.notes;
    return result;
  }

  // In the very place that the store will have, or, where there is one already, beside the results.
  // Its failures are no news: the phases meet them too.
  void AuditCommits(const ProbeReply& engine) {
    if (!IsAuditDue(plan_.settings, plan_.phases, engine.description.capabilities)) return;
    const std::string path = plan_.stores.empty()
                                 ? StorePathOf(plan_.settings, engine.engine, results_->path())
                                 : results_->path() + "/audit";
    StatusOr<StoreDirectory> store = StoreDirectory::Create(
        path, {.salt = 1, .harness = kVersion, .fresh = true, .content = {}});
    if (!store.ok()) return;
    WorkerSpec spec = SpecOf(engine, store->path(), 1, {});
    spec.audits = true;
    spec.settings.memory = 0;
    spec.settings.stall = std::min(spec.settings.stall, kAuditStallSeconds);
    ProgressView view({"audit of " + engine.engine}, WorkloadNames(plan_));
    RunObserver nobody;
    RunEnd end = Supervise(spec, *store, view, nobody);
    interrupted_ = end.interrupted;
    audits_[engine_] = std::move(end.audits);
    Keep(store->Remove());
  }

  void RunInStore(const ProbeReply& engine, RunResult& result) {
    if (plan_.stores.empty()) return RunInNewStore(engine, result);
    const auto existing = std::ranges::find(plan_.stores, engine.engine, &ExistingStore::engine);
    if (existing->is_ours) return RunInOldStore(engine, existing->path, result);
    // Values of its own, that no earlier visit has left there.
    const uint64_t salt = DeriveSeed(plan_.settings.seed, "salt", UtcNow(), MonotonicNs());
    ForeignStore store(existing->path);
    const WorkerSpec spec = SpecOf(engine, store.path(), salt, {.exists = true});
    Conclude(Supervise(spec, store, view_, *this), result);
  }

  void RunInNewStore(const ProbeReply& engine, RunResult& result) {
    // The same for every engine, so that all of them get the same bytes.
    const uint64_t salt = DeriveSeed(SeedOfRound(), "salt", "", 0);
    StoreContent content{.engine = BaseName(engine.engine),
                         .keys = KeysLeftBy(plan_, engine),
                         .smallest_value = std::numeric_limits<uint64_t>::max(),
                         .describes_itself = !IsExact(plan_.settings),
                         .compression_ratio = plan_.settings.compression_ratio};
    AddValueSizes(plan_.phases, content);
    StatusOr<StoreDirectory> store = StoreDirectory::Create(
        StorePathOf(plan_.settings, engine.engine, results_->path()),
        {.salt = salt, .harness = kVersion, .fresh = true, .content = content});
    Status status = store.ok() ? Status::Ok() : store.status();
    if (status.ok() && !result.floor && plan_.settings.space_guard == "refuse") {
      status = CheckFreeSpace(store->path(), NeededDiskBytes(plan_.settings, plan_.phases));
    }
    if (status.ok()) status = store->LetChildrenInheritLock();
    if (status.ok()) status = store->MarkDirty();
    if (!status.ok()) {
      CannotStart(status, result);
      if (store.ok()) (void)store->Remove();
      return;
    }
    const WorkerSpec spec = SpecOf(engine, store->path(), salt, {});
    const RunEnd end = Supervise(spec, *store, view_, *this);
    Conclude(end, result);
    content.entries = end.entries.value_or(0);
    store->SetContent(content);
    CloseStore(*store, result);
  }

  // One of ours that is to be used as it is.
  void RunInOldStore(const ProbeReply& engine, const std::string& path, RunResult& result) {
    StatusOr<StoreDirectory> store = StoreDirectory::Reopen(path);
    Status status = store.ok() ? store->LetChildrenInheritLock() : store.status();
    if (!status.ok()) return CannotStart(status, result);
    StoreContent content = store->content();
    AddValueSizes(plan_.phases, content);
    store->SetContent(content);
    status = store->MarkDirty();
    if (!status.ok()) return CannotStart(status, result);
    const WorkerSpec spec =
        SpecOf(engine, store->path(), store->salt(),
               {.exists = true,
                .knows_values =
                    content.describes_itself && content.smallest_value >= ValueSource::kHeaderBytes,
                .largest_value = content.largest_value,
                .value_format = content.value_format,
                // Each opening has versions of its own, so that a write that was lost is seen.
                .first_version = (content.opened << 24) + 1,
                .entries = content.entries});
    const RunEnd end = Supervise(spec, *store, view_, *this);
    Conclude(end, result);
    content.entries = end.entries.value_or(content.entries);
    store->SetContent(content);
    // Where the engine failed it stays as it is, for the next attempt.
    if (result.outcome == Outcome::kWrong) Keep(store->MarkTainted());
    if (result.outcome != Outcome::kWrong && result.outcome != Outcome::kFailed) {
      Keep(store->MarkClean());
    }
  }

  void CannotStart(const Status& status, RunResult& result) {
    result.outcome = Outcome::kFailed;
    result.message = status.message();
    view_.Say("failed: " + result.message);
  }

  WorkerSpec SpecOf(const ProbeReply& engine, const std::string& directory, uint64_t salt,
                    const StoreOrigin& origin) const {
    Settings settings = plan_.settings;
    settings.seed = SeedOfRound();
    if (engine.description.Has(LF_FLOOR)) settings.space_guard = "off";  // Writes nothing.
    return {.engine = engine.engine,
            .engine_settings = engine.options.settings,
            .settings = std::move(settings),
            .phases = plan_.phases,
            .directory = directory,
            .results_directory = results_->path(),
            .salt = salt,
            .origin = origin,
            .padding_bytes = PaddingBytes()};
  }

  // All engines of a round get the same operations, and each round others.
  uint64_t SeedOfRound() const {
    return round_ == 0 ? plan_.settings.seed : DeriveSeed(plan_.settings.seed, "round", "", round_);
  }
  uint64_t PaddingBytes() const {
    return Random(DeriveSeed(plan_.settings.seed, "padding", "", run_)).Below(4096);
  }

  bool IsAnotherRoundDue() const {
    const Settings& settings = plan_.settings;
    if (round_ < settings.repeat) return true;
    if (settings.precision == 0 || round_ >= settings.repeat_most) return false;
    return !std::ranges::all_of(
        rates_, [&](const auto& rates) { return IsPrecise(rates.second, settings.precision); });
  }

  void Conclude(const RunEnd& end, RunResult& result) {
    result.clock = end.clock;
    result.allocator = end.allocator;
    result.configuration = end.configuration;
    result.memory = end.memory;
    interrupted_ = end.interrupted;
    result.outcome = worst_;
    if (end.interrupted) result.outcome = Outcome::kInterrupted;
    if (!end.low_space.empty()) {
      result.message = end.low_space;
      view_.Say(fmt::format("{}: {}", result.engine, result.message));
    }
    if (end.failure.empty()) return;
    const bool is_in_phase = end.failed_phase < plan_.phases.size();
    result.outcome = Outcome::kFailed;
    result.message = fmt::format(
        "{}{}{}{}{}", end.low_space.empty() ? "" : end.low_space + "; then ", end.failure,
        is_in_phase ? " in " + plan_.phases[end.failed_phase].workload.name : "",
        end.failed_progress.empty() ? "" : " " + end.failed_progress,
        end.circumstances.empty() ? "" : " (" + end.circumstances + ")");
    result.stderr_tail = end.stderr_tail;
    view_.Say(fmt::format("failed: {}: {}", result.engine, result.message));
    for (const std::string& line : end.stderr_tail) view_.Say("    | " + line);
  }

  // A store in which something went wrong is evidence, and stays.
  void CloseStore(StoreDirectory& store, const RunResult& result) {
    const bool is_evidence =
        result.outcome == Outcome::kFailed || result.outcome == Outcome::kWrong;
    if (is_evidence) {
      Keep(store.MarkTainted());
      view_.Say(fmt::format("its store is kept: {}", store.path()));
    } else if (plan_.settings.keep || plan_.settings.single_db) {
      Keep(store.MarkClean());
    } else {
      Keep(store.Remove());
      if (plan_.settings.db.empty()) {
        std::error_code ignored;  // Not empty: another engine's evidence is in it.
        std::filesystem::remove(results_->path() + "/stores", ignored);
      }
    }
  }

  // The rows of a worker that died: the one it was in, and those it never reached.
  void FillMissingPhases(const RunResult& result) {
    for (bool is_first = true; next_phase_ < plan_.phases.size(); is_first = false) {
      const PlannedPhase& planned = plan_.phases[next_phase_];
      PhaseResult phase;
      phase.workload = planned.workload.name;
      phase.family = planned.workload.family;
      phase.durability = planned.durability;
      phase.implicit = planned.implicit;
      phase.repetition = planned.repetition;
      phase.outcome =
          is_first || result.outcome == Outcome::kUnsupported ? result.outcome : Outcome::kNotRun;
      phase.message = result.message;
      AddPhase(phase);
    }
  }

  void IntervalEnded(size_t phase, const PhaseInterval& interval) override {
    if (phase != next_phase_ || phase >= plan_.phases.size()) return;
    Keep(results_->AddInterval(run_, plan_.engines[engine_].engine,
                               {phase, plan_.phases[phase].workload.name}, interval));
  }

  void PhaseEnded(size_t phase, const PhaseResult& ended) override {
    if (phase != next_phase_ || phase >= plan_.phases.size()) return;
    PhaseResult result = ended;
    AddAudit(result);
    CompleteIntervals(result);
    AddPhase(result);
    if (listener_ == nullptr) view_.EndPhase(phase, result);
  }

  void AddAudit(PhaseResult& phase) const {
    const auto of_class = [&](const auto& audit) { return audit.first == phase.durability; };
    const auto of_engine = audits_.find(engine_);
    if (of_engine == audits_.end()) return;
    const auto audit = std::ranges::find_if(of_engine->second, of_class);
    if (audit == of_engine->second.end() || phase.implicit || !HasWritten(phase)) return;
    phase.audit = audit->second;
    VoidIfInconsistent(phase);
  }

  void AddPhase(const PhaseResult& phase) {
    ++next_phase_;
    const bool is_worse = phase.outcome == Outcome::kWrong || phase.outcome == Outcome::kFailed ||
                          phase.outcome == Outcome::kStopped ||
                          (phase.outcome == Outcome::kInvalid && worst_ == Outcome::kOk);
    if (is_worse && worst_ != Outcome::kFailed) worst_ = phase.outcome;
    const std::optional<double> rate = RateOf(phase);
    if (rate && !phase.implicit) rates_[{engine_, next_phase_}].push_back(*rate);
    Keep(results_->AddPhase(run_, plan_.engines[engine_].engine, phase));
    if (listener_ == nullptr) return;
    view_.Hide();
    listener_->PhaseEnded(phase);
  }

  // The first trouble of the driver itself ends the whole.
  void Keep(const Status& status) {
    if (!status.ok() && status_.ok()) status_ = status;
  }

  const Plan& plan_;
  RunListener* const listener_;
  ProgressView view_;
  std::optional<IntervalReport> intervals_;
  ResultDirectory* results_ = nullptr;
  Status status_ = Status::Ok();
  bool interrupted_ = false;
  uint64_t round_ = 0;
  size_t engine_ = 0;  // Which of the plan's.
  size_t run_ = 0;     // Of all rounds.
  // Of the rounds so far, for each phase of each engine that has any.
  std::map<std::pair<size_t, size_t>, std::vector<double>> rates_;
  // Of the engines, before their first round, by durability class.
  std::map<size_t, std::vector<std::pair<std::string, Audit>>> audits_;
  std::set<size_t> given_up_;  // Engines that failed or were wrong: once is enough.
  size_t next_phase_ = 0;
  Outcome worst_ = Outcome::kOk;
};

}  // namespace

DriverReport RunPlan(const Plan& plan, RunListener* listener) {
  return Driver(plan, listener).Run();
}

}  // namespace levelfield
