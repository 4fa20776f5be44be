#include "run/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/engine_name.h"
#include "base/random.h"
#include "base/utc.h"
#include "base/version.h"
#include "result/consistency.h"
#include "result/cost.h"
#include "result/outcome_name.h"
#include "result/series.h"
#include "result/statistics.h"
#include "result/variants.h"
#include "run/audit.h"
#include "run/compat.h"
#include "run/duet.h"
#include "run/free_space.h"
#include "run/interval_report.h"
#include "run/preflight.h"
#include "run/progress_view.h"
#include "run/result_directory.h"
#include "run/run_file_system.h"
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
  return fmt::format("{} {}", EngineName(engine.engine), version);
}

// An engine with one of the ways of setting things.
struct PlannedRun {
  const Alternative* alternative;
  const ProbeReply* engine;
};

std::vector<PlannedRun> RunsOf(const Plan& plan) {
  std::vector<PlannedRun> runs;
  for (const Alternative& alternative : plan.alternatives) {
    for (const ProbeReply& engine : alternative.engines) runs.push_back({&alternative, &engine});
  }
  return runs;
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
KeyShape KeysLeftBy(const Alternative& alternative, const ProbeReply& engine) {
  KeyShape keys = KeyShapeOf(alternative.settings);
  for (const PlannedPhase& phase : alternative.phases) {
    if (phase.workload.need != StoreNeed::kEmpty) continue;
    const KeyShape shape = KeyShapeOf(alternative.settings, phase.workload);
    if (shape.kind != KeyKind::kInteger || engine.description.Has(LF_INTEGER_KEYS)) keys = shape;
  }
  return keys;
}

class Driver : private RunObserver {
 public:
  Driver(const Plan& plan, RunListener* listener)
      : plan_(plan),
        listener_(listener),
        runs_(RunsOf(plan)),
        view_(RunNames(), WorkloadNames(plan), plan.first().settings.stats_interval,
              plan.first().settings.stats_interval_seconds, plan.first().settings.watch) {}

  DriverReport Run() {
    DriverReport report;
    nlohmann::ordered_json engines = nlohmann::ordered_json::array();
    for (const ProbeReply& engine : plan_.first().engines) {
      if (engine.is_loaded) engines.push_back(ToJson(engine.description));
    }
    if (report.status = MakeIntervalReport(); !report.status.ok()) return report;
    StatusOr<ResultDirectory> directory = ResultDirectory::Create(
        now().settings, plan_.command, now().phases, engines, now().settings.db);
    if (!directory.ok()) {
      report.status = directory.status();
      return report;
    }
    results_ = &*directory;
    report.directory = directory->path();
    if (listener_ != nullptr) listener_->Began(report.directory);
    AddPrices();
    for (round_ = 0; !interrupted_ && status_.ok() && IsAnotherRoundDue(); ++round_) {
      for (const size_t planned : OrderOfRound(runs_.size(), round_, now().settings.seed)) {
        if ((interrupted_ || !status_.ok()) && !second_) break;
        if (given_up_.contains(planned) || IsDuetOver()) continue;
        planned_ = planned;
        RunOne(*runs_[planned].engine);
        ++run_;
      }
    }
    report.status = status_;
    report.interrupted = interrupted_;
    return report;
  }

 private:
  // Of the run that is on, or of the first.
  const Alternative& now() const { return *runs_[planned_].alternative; }

  static std::string NameOf(const PlannedRun& run) {
    return RunName(run.engine->engine, run.alternative->variant);
  }

  std::vector<std::string> RunNames() const {
    std::vector<std::string> names;
    for (uint64_t round = 0; round < now().settings.repeat; ++round) {
      for (const size_t i : OrderOfRound(runs_.size(), round, now().settings.seed)) {
        names.push_back(NameOf(runs_[i]));
      }
    }
    return names;
  }
  static std::vector<std::string> WorkloadNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlannedPhase& phase : plan.first().phases) names.push_back(phase.workload.name);
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
    const Settings& settings = now().settings;
    if (settings.report_file.empty()) return Status::Ok();
    StatusOr<IntervalReport> report =
        IntervalReport::Create(settings.report_file, settings.report_interval_seconds);
    if (!report.ok()) return report.status();
    intervals_.emplace(std::move(*report));
    return Status::Ok();
  }

  void StageBegan(size_t phase, const std::string& stage) override {
    if (!intervals_ || phase >= now().phases.size()) return;
    if (stage == "run") {
      intervals_->Begin(NameOf(runs_[planned_]), now().phases[phase].workload.name, MonotonicNs());
    } else {
      intervals_->End(MonotonicNs());
    }
  }

  void PhaseReady(size_t phase) override {
    if (second_) second_->duet->meeting().Await(0, phase);
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
    view_.BeginRun(run_, NameOf(runs_[planned_]));
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
      if (round_ == 0 && !second_) AuditCommits(engine);
      if (interrupted_ && !second_) {
        result.outcome = Outcome::kInterrupted;
      } else {
        RunInStore(engine, result);
      }
    }
    if (now().settings.db.empty()) {
      std::error_code ignored;  // Not empty: another engine's evidence is in it.
      std::filesystem::remove(results_->path() + "/stores", ignored);
    }
    FillMissingPhases(result);
    if (result.outcome != Outcome::kOk && result.outcome != Outcome::kInvalid) {
      given_up_.insert(planned_);
    }
    Keep(results_->AddRun(run_, result));
  }

  // What went wrong with one variant is kept as evidence, and not in the way of the next.
  std::string StorePath(const ProbeReply& engine) const {
    const std::string path = StorePathOf(now().settings, engine.engine, results_->path());
    const uint64_t number = now().variant.number;
    return number <= 1 ? path : fmt::format("{}+{}", path, number);
  }

  RunResult Describe(const ProbeReply& engine) const {
    RunResult result;
    result.engine = engine.engine;
    result.variant = now().variant;
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
    if (!IsAuditDue(now().settings, now().phases, engine.description.capabilities)) return;
    std::optional<RunFileSystem> file_system;
    if (!MakeFileSystem(engine, file_system).ok()) return;
    const std::string path =
        now().stores.empty() ? PathOfNewStore(engine, file_system) : results_->path() + "/audit";
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
    audits_[planned_] = std::move(end.audits);
    if (!file_system) Keep(store->Remove());
  }

  void RunInStore(const ProbeReply& engine, RunResult& result) {
    if (now().stores.empty()) return RunInNewStore(engine, result);
    const auto existing = std::ranges::find(now().stores, engine.engine, &ExistingStore::engine);
    if (existing->is_ours) return RunInOldStore(engine, existing->path, result);
    // Values of its own, that no earlier visit has left there.
    const uint64_t salt = DeriveSeed(now().settings.seed, "salt", UtcNow(), MonotonicNs());
    ForeignStore store(existing->path);
    const WorkerSpec spec = SpecOf(engine, store.path(), salt, {.exists = true});
    Conclude(Supervise(spec, store, view_, *this), result);
  }

  // The run's own, where it is to have one; empty where the store is on what is there.
  Status MakeFileSystem(const ProbeReply& engine, std::optional<RunFileSystem>& file_system) const {
    const Settings& settings = now().settings;
    if (settings.fs.empty()) return Status::Ok();
    StatusOr<RunFileSystem> made = RunFileSystem::Make(
        settings, NeededDiskBytes(settings, now().phases, SpaceFactorOf(engine.description)),
        PlaceOfImages(settings, results_->path()));
    if (!made.ok()) {
      return IsInterrupted() ? Status::Interrupted(made.status().message()) : made.status();
    }
    file_system.emplace(std::move(*made));
    return Status::Ok();
  }

  std::string PathOfNewStore(const ProbeReply& engine,
                             const std::optional<RunFileSystem>& file_system) const {
    if (!file_system) return StorePath(engine);
    Settings settings = now().settings;
    settings.db = file_system->directory();
    return StorePathOf(settings, engine.engine, results_->path());
  }

  // Beside where its store would have been.
  void KeepFileSystem(RunFileSystem& file_system, const std::string& path) {
    const std::string image = fmt::format("{}.{}", path, now().settings.fs);
    const Status kept = file_system.EndAndKeep(image);
    view_.Say(kept.ok() ? fmt::format("its file system is kept: {} (mount -o loop)", image)
                        : kept.message());
  }

  // A new store with what its worker is to do; of the second of a duet, the worker is at it
  // already.
  struct NewStore {
    std::optional<RunFileSystem> file_system;  // That it is on; ends behind the store.
    StoreContent content;
    StoreDirectory store;
    WorkerSpec spec;
    std::unique_ptr<SecondOfDuet> duet = nullptr;
  };

  StatusOr<std::unique_ptr<NewStore>> MakeStore(const ProbeReply& engine) const {
    std::optional<RunFileSystem> file_system;
    if (Status made = MakeFileSystem(engine, file_system); !made.ok()) return made;
    // The same for every engine, so that all of them get the same bytes.
    const uint64_t salt = DeriveSeed(SeedOfRound(), "salt", "", 0);
    StoreContent content{.engine = EngineName(engine.engine),
                         .keys = KeysLeftBy(now(), engine),
                         .smallest_value = std::numeric_limits<uint64_t>::max(),
                         .describes_itself = !IsExact(now().settings),
                         .compression_ratio = now().settings.compression_ratio};
    AddValueSizes(now().phases, content);
    StatusOr<StoreDirectory> store = StoreDirectory::Create(
        PathOfNewStore(engine, file_system),
        {.salt = salt, .harness = kVersion, .fresh = true, .content = content});
    if (!store.ok()) return store.status();
    Status status = Status::Ok();
    if (!engine.description.Has(LF_FLOOR) && now().settings.space_guard == "refuse") {
      status = CheckFreeSpace(store->path(), NeededDiskBytes(now().settings, now().phases,
                                                             SpaceFactorOf(engine.description)));
    }
    if (status.ok()) status = store->LetChildrenInheritLock();
    if (status.ok()) status = store->MarkDirty();
    if (!status.ok()) {
      (void)store->Remove();
      return status;
    }
    WorkerSpec spec = SpecOf(engine, store->path(), salt, {});
    return std::make_unique<NewStore>(
        NewStore{std::move(file_system), std::move(content), std::move(*store), std::move(spec)});
  }

  // Has the other engine of a duet begin, just before the one whose turn it is.
  void BeginSecond() {
    const size_t first = std::exchange(planned_, 1 - planned_);
    ++run_;
    const ProbeReply& engine = *runs_[planned_].engine;
    if (round_ == 0) AuditCommits(engine);
    StatusOr<std::unique_ptr<NewStore>> made = MakeStore(engine);
    if (made.ok()) {
      second_ = std::move(*made);
      second_->duet = std::make_unique<SecondOfDuet>(second_->spec, second_->store);
    }
    planned_ = first;
    --run_;
  }

  void RunInNewStore(const ProbeReply& engine, RunResult& result) {
    StatusOr<std::unique_ptr<NewStore>> made =
        second_ ? StatusOr<std::unique_ptr<NewStore>>(std::move(second_)) : MakeStore(engine);
    if (!made.ok()) return CannotStart(made.status(), result);
    NewStore& mine = **made;
    if (mine.file_system) result.file_system = mine.file_system->InForce();
    if (now().settings.duet && run_ % 2 == 0) BeginSecond();
    const RunEnd end =
        mine.duet ? mine.duet->Finish(*this) : Supervise(mine.spec, mine.store, view_, *this);
    if (second_) second_->duet->meeting().Leave(0);
    Conclude(end, result);
    mine.content.entries = end.entries.value_or(0);
    mine.store.SetContent(mine.content);
    const bool stays = CloseStore(mine.store, result);
    std::optional<RunFileSystem> file_system = std::move(mine.file_system);
    made->reset();  // What the store holds open would keep its file system busy.
    if (file_system && stays) {
      KeepFileSystem(*file_system, StorePath(engine));
    } else if (file_system) {
      Keep(file_system->End());
    }
  }

  // One of ours that is to be used as it is.
  void RunInOldStore(const ProbeReply& engine, const std::string& path, RunResult& result) {
    StatusOr<StoreDirectory> store = StoreDirectory::Reopen(path);
    Status status = store.ok() ? store->LetChildrenInheritLock() : store.status();
    if (!status.ok()) return CannotStart(status, result);
    StoreContent content = store->content();
    AddValueSizes(now().phases, content);
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
    interrupted_ = interrupted_ || status.kind() == ErrorKind::kInterrupted;
    result.outcome = interrupted_ ? Outcome::kInterrupted : Outcome::kFailed;
    result.message = status.message();
    view_.Say(fmt::format("{}: {}", OutcomeName(result.outcome), result.message));
  }

  WorkerSpec SpecOf(const ProbeReply& engine, const std::string& directory, uint64_t salt,
                    const StoreOrigin& origin) const {
    Settings settings = now().settings;
    settings.seed = SeedOfRound();
    if (engine.description.Has(LF_FLOOR)) settings.space_guard = "off";  // Writes nothing.
    if (settings.duet) settings.cpus = HalfOfProcessors(settings.cpus, planned_, round_);
    return {.engine = engine.engine,
            .engine_settings = engine.options.settings,
            .settings = std::move(settings),
            .phases = now().phases,
            .directory = directory,
            .results_directory = results_->path(),
            .salt = salt,
            .origin = origin,
            .padding_bytes = PaddingBytes()};
  }

  // All engines of a round get the same operations, and each round others.
  uint64_t SeedOfRound() const {
    return round_ == 0 ? now().settings.seed : DeriveSeed(now().settings.seed, "round", "", round_);
  }
  uint64_t PaddingBytes() const {
    return Random(DeriveSeed(now().settings.seed, "padding", "", run_)).Below(4096);
  }

  // One alone is no duet; but the second that has begun is waited for.
  bool IsDuetOver() const { return now().settings.duet && !given_up_.empty() && !second_; }

  bool IsAnotherRoundDue() const {
    const Settings& settings = now().settings;
    if (IsDuetOver()) return false;
    if (round_ < settings.repeat) return true;
    if (settings.precision == 0 || round_ >= settings.repeat_most) return false;
    return !std::ranges::all_of(
        rates_, [&](const auto& rates) { return IsPrecise(rates.second, settings.precision); });
  }

  void Conclude(const RunEnd& end, RunResult& result) {
    result.clock = end.clock;
    result.allocator = end.allocator;
    result.cpus = end.cpus;
    result.configuration = end.configuration;
    result.memory = end.memory;
    interrupted_ = interrupted_ || end.interrupted;
    result.outcome = worst_;
    if (end.interrupted) result.outcome = Outcome::kInterrupted;
    if (!end.low_space.empty()) {
      result.message = end.low_space;
      view_.Say(fmt::format("{}: {}", result.engine, result.message));
    }
    if (end.failure.empty()) return;
    const bool is_in_phase = end.failed_phase < now().phases.size();
    result.outcome = Outcome::kFailed;
    result.message = fmt::format(
        "{}{}{}{}{}", end.low_space.empty() ? "" : end.low_space + "; then ", end.failure,
        is_in_phase ? " in " + now().phases[end.failed_phase].workload.name : "",
        end.failed_progress.empty() ? "" : " " + end.failed_progress,
        end.circumstances.empty() ? "" : " (" + end.circumstances + ")");
    result.stderr_tail = end.stderr_tail;
    view_.Say(fmt::format("failed: {}: {}", result.engine, result.message));
    for (const std::string& line : end.stderr_tail) view_.Say("    | " + line);
  }

  // A store in which something went wrong is evidence, and stays: whether this one does.
  bool CloseStore(StoreDirectory& store, const RunResult& result) {
    if (result.outcome == Outcome::kFailed || result.outcome == Outcome::kWrong) {
      Keep(store.MarkTainted());
      if (!result.file_system) view_.Say(fmt::format("its store is kept: {}", store.path()));
      return true;
    }
    // One on a file system of its own goes with that.
    if (result.file_system) return false;
    const bool stays = now().settings.keep || now().settings.single_db;
    Keep(stays ? store.MarkClean() : store.Remove());
    return stays;
  }

  // The rows of a worker that died: the one it was in, and those it never reached.
  void FillMissingPhases(const RunResult& result) {
    for (bool is_first = true; next_phase_ < now().phases.size(); is_first = false) {
      const PlannedPhase& planned = now().phases[next_phase_];
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
    if (phase != next_phase_ || phase >= now().phases.size()) return;
    Keep(results_->AddInterval(run_, NameOf(runs_[planned_]),
                               {phase, now().phases[phase].workload.name}, interval));
  }

  void PhaseEnded(size_t phase, const PhaseResult& ended) override {
    if (phase != next_phase_ || phase >= now().phases.size()) return;
    PhaseResult result = ended;
    AddAudit(result);
    CompleteIntervals(result);
    AddPhase(result);
    if (listener_ == nullptr) view_.EndPhase(phase, result);
  }

  void AddAudit(PhaseResult& phase) const {
    const auto of_class = [&](const auto& audit) { return audit.first == phase.durability; };
    const auto of_engine = audits_.find(planned_);
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
    if (rate && !phase.implicit) rates_[{planned_, next_phase_}].push_back(*rate);
    Keep(results_->AddPhase(run_, runs_[planned_].engine->engine, now().variant, phase));
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
  const std::vector<PlannedRun> runs_;  // Of a round.
  size_t planned_ = 0;                  // Which of those.
  ProgressView view_;
  std::optional<IntervalReport> intervals_;
  ResultDirectory* results_ = nullptr;
  Status status_ = Status::Ok();
  bool interrupted_ = false;
  uint64_t round_ = 0;
  size_t run_ = 0;  // Of all rounds.
  // Of the rounds so far, for each phase of each engine that has any.
  std::map<std::pair<size_t, size_t>, std::vector<double>> rates_;
  // Of the engines, before their first round, by durability class.
  std::map<size_t, std::vector<std::pair<std::string, Audit>>> audits_;
  std::unique_ptr<NewStore> second_;  // While the first of a duet runs.
  std::set<size_t> given_up_;         // Engines that failed or were wrong: once is enough.
  size_t next_phase_ = 0;
  Outcome worst_ = Outcome::kOk;
};

}  // namespace

DriverReport RunPlan(const Plan& plan, RunListener* listener) {
  return Driver(plan, listener).Run();
}

}  // namespace levelfield
