#include "driver/driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/number.h"
#include "base/quote.h"
#include "base/random.h"
#include "base/text.h"
#include "base/version.h"
#include "driver/commit_audits.h"
#include "driver/first_trouble.h"
#include "driver/fleet_gate.h"
#include "driver/interval_report.h"
#include "driver/overheads.h"
#include "driver/progress_view.h"
#include "driver/result_directory.h"
#include "driver/run_recorder.h"
#include "driver/run_row.h"
#include "driver/run_store.h"
#include "driver/supervisor.h"
#include "plan/trial.h"
#include "probe/condition_probe.h"
#include "process/process.h"
#include "result/phase_result.h"
#include "store/store_space.h"

namespace levelfield {
namespace {

std::vector<PlannedRun> RunsOf(const Plan& plan) {
  std::vector<PlannedRun> runs;
  for (const PlannedVariant& variant : plan.variants) {
    for (const ProbeReply& engine : variant.engines) runs.push_back({&variant, &engine});
  }
  return runs;
}

// Why the ranks of a fleet cannot load one store of it. Empty: they can.
std::string WhyNoFleet(const ProbeReply& engine) {
  const bool is_attached = std::ranges::any_of(engine.options.settings, [](const auto& setting) {
    return setting.first == "endpoint" && !setting.second.empty();
  });
  if (engine.description.Has(LF_SERVER) && is_attached) return "";
  return fmt::format(
      "--fleet=one: {} has no store that other processes could load; name an engine that is a "
      "server, and a server that runs (--redis.endpoint=host:6379)",
      engine.engine);
}

class Driver {
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
    Settings settings = now().settings;
    if (report.status = JoinFleet(settings); !report.status.ok()) return report;
    StatusOr<ResultDirectory> directory = ResultDirectory::Create(
        settings, plan_.command, now().phases, engines, settings.db, runs_.size(), plan_.noise);
    if (!directory.ok()) {
      report.status = directory.status();
      return report;
    }
    results_ = directory->path();
    report.directory = results_;
    for (size_t i = 0; i < runs_.size(); ++i) {
      recorders_.emplace_back(*directory, intervals_, audits_, view_, listener_, trouble_);
    }
    if (listener_ != nullptr) listener_->Began(report.directory);
    for (const TriedSetting& tried : plan_.tried) Keep(directory->AddTried(tried));
    if (!gate_ || gate_->place().rank == 0) AddOverheads(*directory);
    for (round_ = 0; !interrupted_ && !trouble_.any() && IsAnotherRoundDue(); ++round_) {
      if (round_ == 1) DropSlow();
      now().settings.slices == "on" ? RunInTurns() : RunInPieces();
    }
    Keep(directory->AddEnd(trouble_.any() ? Completion::End::kFailed
                           : interrupted_ ? Completion::End::kInterrupted
                                          : Completion::End::kFinished,
                           trouble_.status().message()));
    report.status = trouble_.status();
    report.interrupted = interrupted_;
    if (gate_) {
      std::error_code error;
      gate_->End(left_, std::filesystem::absolute(results_, error));
    }
    return report;
  }

 private:
  Trial TrialOf(size_t planned, size_t run) const {
    return {.what = runs_[planned],
            .planned = planned,
            .round = round_,
            .run = run,
            .results = results_};
  }
  // The existing store for the trial. The end if the trial makes one.
  std::vector<ExistingStore>::const_iterator ExistingOf(const Trial& trial) const {
    return std::ranges::find(now().stores, trial.engine().engine, &ExistingStore::engine);
  }
  // Whether nothing is written to the store, so that it has no commits to measure.
  bool IsKept(const Trial& trial) const {
    const auto existing = ExistingOf(trial);
    return existing != now().stores.end() && !existing->decision.kept.empty();
  }
  // The present run's variant, at first that of the first run.
  const PlannedVariant& now() const { return *runs_[planned_].variant; }

  std::vector<std::string> RunNames() const {
    std::vector<std::string> names;
    for (uint64_t round = 0; round < now().settings.repeat; ++round) {
      for (const size_t i : OrderOfRound(runs_.size(), round, now().settings.seed)) {
        names.push_back(runs_[i].Name());
      }
    }
    return names;
  }
  static std::vector<std::string> WorkloadNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlannedPhase& phase : plan.first().phases) names.push_back(phase.workload.name);
    return names;
  }

  // Finds the others, if it is to be one of several; its results are named for its rank then.
  Status JoinFleet(Settings& settings) {
    if (settings.fleet == "none") return Status::Ok();
    for (const ProbeReply& engine : plan_.first().engines) {
      if (!engine.status.ok()) continue;
      if (const std::string why = WhyNoFleet(engine); !why.empty()) return Status::Usage(why);
    }
    std::string words = kVersion;
    for (const Flag& flag : Flags()) {
      if (flag.matters) words += fmt::format("\n{}={}", flag.name, TextOf(flag, settings));
    }
    ASSIGN_OR_RETURN(FleetGate gate, FleetGate::Open(TextHash(words), settings.stall));
    gate_.emplace(std::move(gate));
    settings.name += fmt::format("-rank{}of{}", gate_->place().rank, gate_->place().of);
    return Status::Ok();
  }

  // Whether all ranks can begin the run.
  bool CanFleetBegin(const Trial& trial, bool is_ready, RunResult& row) {
    const GateAnswer answer = gate_->BeginRun(
        fmt::format("{} ({})", trial.what.Name(), trial.run + 1), trial.settings().ranks,
        std::exchange(left_, ""), is_ready ? "" : row.message);
    if (answer.failure.empty()) return true;
    if (!is_ready) return false;
    row.outcome = answer.is_interrupted ? Outcome::kInterrupted : Outcome::kFailed;
    row.message = "the fleet is not whole: " + answer.failure;
    view_.Say(fmt::format("{}: {}", NameOf(row.outcome), row.message));
    return false;
  }

  void AddOverheads(ResultDirectory& results) {
    const StatusOr<std::vector<Overhead>> overheads =
        MeasureOverheads(plan_.overhead, results_, interrupted_);
    Keep(overheads.status());
    if (!overheads.ok()) return;
    for (const Overhead& overhead : *overheads) Keep(results.AddOverhead(overhead));
  }

  Status MakeIntervalReport() {
    const Settings& settings = now().settings;
    if (settings.report_file.empty()) return Status::Ok();
    ASSIGN_OR_RETURN(IntervalReport report,
                     IntervalReport::Create(settings.report_file, settings.report_interval_seconds,
                                            settings.is_original));
    intervals_.emplace(std::move(report));
    return Status::Ok();
  }

  RunRecorder& recorder() { return recorders_[planned_]; }

  void Skip(const Trial& trial, std::string why) {
    RunResult row = RowOf(trial);
    Keep(recorder().BeginRun(trial, row));
    row.outcome = Outcome::kSkipped;
    row.message = std::move(why);
    EndOne(trial, row);
  }

  // "after the first round: lmdb 1.21 M ops/s, leveldb 0.61x". So an answer that may do is there
  // long before the one that has an interval.
  void SayRates(const std::vector<double>& rates, size_t best) {
    std::vector<std::pair<double, std::string>> others;
    for (size_t i = 0; i < rates.size(); ++i) {
      if (rates[i] != 0 && i != best) others.emplace_back(rates[i], runs_[i].Name());
    }
    if (others.empty()) return;
    std::ranges::sort(others, std::greater<>());
    std::string words =
        fmt::format("after the first round: {} {} ops/s", runs_[best].Name(), Rate(rates[best]));
    for (const auto& [rate, name] : others) {
      words += fmt::format(", {} {}", name, Times(rate / rates[best]));
    }
    view_.Say(words);
  }

  // After the first round: who is so slow that more rounds cannot change the answer. Not by a
  // workload of some milliseconds, which one preemption makes five times slower.
  void DropSlow() {
    constexpr double kLeastSeconds = 0.02;
    if (plan_.drop_slower == 0) return;
    size_t best = 0;
    std::vector<double> rates;
    for (size_t i = 0; i < runs_.size(); ++i) {
      const bool is_ranked = !given_up_.contains(i) && !runs_[i].engine->description.Has(LF_FLOOR);
      rates.push_back(is_ranked ? recorders_[i].LastRate().value_or(0) : 0);
      if (rates[i] > rates[best]) best = i;
    }
    SayRates(rates, best);
    if (recorders_[best].LastSeconds() < kLeastSeconds) return;
    for (size_t i = 0; i < runs_.size(); ++i) {
      if (rates[i] == 0 || rates[i] * plan_.drop_slower > rates[best]) continue;
      planned_ = i;
      Skip(TrialOf(i, run_++),
           fmt::format("{:.1f} times slower than {} in the first round, so not measured again",
                       rates[best] / rates[i], runs_[best].Name()));
    }
  }

  // Runs the engines of the round, each to its end.
  void RunInPieces() {
    for (const size_t planned : OrderOfRound(runs_.size(), round_, now().settings.seed)) {
      if (interrupted_ || trouble_.any()) return;
      if (given_up_.contains(planned)) continue;
      planned_ = planned;
      RunOne(TrialOf(planned_, run_));
      ++run_;
    }
  }

  void RunOne(const Trial& trial) {
    const uint64_t ranks = trial.settings().ranks;
    if (gate_ && ranks != 0 && gate_->place().rank >= ranks) {
      gate_->SkipRun();
      return Skip(trial, fmt::format("rank {} has nothing to do with --ranks={}",
                                     gate_->place().rank, ranks));
    }
    RunResult row = RowOf(trial);
    const bool is_ready = BeginOne(trial, row);
    if (gate_ ? CanFleetBegin(trial, is_ready, row) : is_ready) RunInStore(trial, row);
    EndOne(trial, row);
  }

  // Whether the trial gets a store. If not, its row says why, or there is trouble.
  bool BeginOne(const Trial& trial, RunResult& row) {
    const ProbeReply& engine = trial.engine();
    Keep(recorder().BeginRun(trial, row));
    if (trouble_.any()) return false;
    if (!engine.status.ok()) {
      row.outcome =
          engine.status.kind() == ErrorKind::kUsage ? Outcome::kUnsupported : Outcome::kFailed;
      row.message = engine.status.message();
      view_.Say(fmt::format("{}: {}", NameOf(row.outcome), row.message));
      return false;
    }
    // One rank's will do, and the server is one.
    const bool is_audited = round_ == 0 && !IsKept(trial) && (!gate_ || gate_->place().rank == 0);
    if (is_audited) Keep(audits_.Look(trial, interrupted_));
    if (interrupted_) row.outcome = Outcome::kInterrupted;
    return !interrupted_;
  }

  void EndOne(const Trial& trial, const RunResult& row) {
    if (now().settings.db.empty()) {
      std::error_code ignored;  // Fails if another engine's evidence is in it.
      std::filesystem::remove(results_ + "/stores", ignored);
    }
    // The ranks of a fleet do the same runs.
    if (row.outcome != Outcome::kOk && row.outcome != Outcome::kInvalid && !gate_) {
      given_up_.insert(trial.planned);
    }
    recorder().EndRun(row);
  }

  void RunInStore(const Trial& trial, RunResult& row) {
    StatusOr<std::unique_ptr<RunStore>> opened = OpenStore(trial, row);
    if (!opened.ok()) return CannotStart(opened.status(), row);
    RunStore& store = **opened;
    if (gate_) {
      store.spec.fleet = gate_->place();
      const uint64_t ranks = trial.settings().ranks;
      if (ranks != 0) store.spec.fleet.of = std::min(ranks, store.spec.fleet.of);
    }
    const RunEnd end =
        Supervise(store.spec, &store.files(), view_, recorder(), gate_ ? &*gate_ : nullptr);
    left_ = end.failure;
    LeaveStore(trial, end, std::move(*opened), row);
  }

  StatusOr<std::unique_ptr<RunStore>> OpenStore(const Trial& trial, RunResult& row) {
    const auto existing = ExistingOf(trial);
    const bool is_new = existing == now().stores.end();
    if (!is_new && !existing->decision.note.empty()) view_.Say(existing->decision.note);
    StatusOr<std::unique_ptr<RunStore>> opened =
        is_new ? MakeNewStore(trial) : OpenExistingStore(trial, *existing);
    if (!opened.ok()) return opened;
    const RunStore& store = **opened;
    if (store.file_system) row.file_system = store.file_system->InForce();
    const StoreOrigin& origin = store.spec.origin;
    if (origin.exists && origin.kept.empty()) {
      AddStoreNotes(trial.engine(), origin, row);
      if (origin.cut_off) view_.Say(fmt::format("{}: {}", row.engine, row.notes.back()));
    }
    return opened;
  }

  void LeaveStore(const Trial& trial, const RunEnd& end, std::unique_ptr<RunStore> store,
                  RunResult& row) {
    TakeEnd(end, row);
    if (!store->ours) return;
    // Where --db is the store itself, its papers lie where those who know the engine look for them.
    if (now().settings.single_db) {
      Note(store->ours->Link(Split(trial.engine().description.Fact("papers"), ' ')), row);
    }
    if (ExistingOf(trial) != now().stores.end()) {
      return Keep(MarkAtTheEnd(end, row.outcome, *store->ours));
    }
    const bool stays = CloseStore(*store->ours, end, row);
    std::optional<RunFileSystem> file_system = std::move(store->file_system);
    store.reset();  // Files that the store holds open would keep its file system busy.
    if (file_system && stays) {
      KeepFileSystem(*file_system, trial.StorePath());
    } else if (file_system) {
      Note(file_system->End(), row);
    }
  }

  // One of several runs that live at once.
  struct LiveRun {
    Trial trial;
    std::string first_path;  // The path that its store would have if it were the only one.
    RunResult row;
    std::unique_ptr<RunStore> store;
    std::optional<TurnTaker> taker;  // None: it could not begin.
    std::optional<TurnEnded> waits;  // The turn that it waits for. None: its worker has ended.
    bool is_over = false;            // Its store is closed, and it has its row.
  };

  // Runs all engines of the round together. Each gets turns for the parts that cannot be cut. A
  // phase in slices begins when all have reached it. Each block of its slices has one of each
  // engine, in a drawn order.
  void RunInTurns() {
    std::deque<LiveRun> live;
    for (const size_t planned : OrderOfRound(runs_.size(), round_, now().settings.seed)) {
      if (interrupted_ || trouble_.any()) break;
      if (given_up_.contains(planned)) continue;
      planned_ = planned;
      Trial trial = TrialOf(planned_, run_++);
      const std::string path = trial.StorePath();
      trial.twins = static_cast<size_t>(std::ranges::count(live, path, &LiveRun::first_path));
      BeginLive(live.emplace_back(trial, path));
    }
    std::vector<LiveRun*> going;
    for (LiveRun& one : live) {
      if (one.taker && !trouble_.any()) going.push_back(&one);
    }
    Random random(DeriveSeed(now().settings.seed, "slices", "", round_));
    while (!going.empty() && !IsInterrupted()) {
      GiveTurns(going);
      RunSlices(going, random);
      std::erase_if(going, [](const LiveRun* one) { return one->is_over; });
    }
    for (LiveRun& one : live) {
      if (!one.is_over) EndLive(one);
    }
  }

  void BeginLive(LiveRun& one) {
    one.row = RowOf(one.trial);
    if (!BeginOne(one.trial, one.row)) return;
    StatusOr<std::unique_ptr<RunStore>> opened = OpenStore(one.trial, one.row);
    if (!opened.ok()) return CannotStart(opened.status(), one.row);
    one.store = std::move(*opened);
    one.store->spec.takes_turns = true;
    one.taker.emplace(one.store->spec, &one.store->files(), view_, recorder());
  }

  void GiveTurn(LiveRun& one) {
    planned_ = one.trial.planned;
    view_.GoOnWith(one.trial.run);
    one.waits = one.taker->Turn();
  }

  // Gives each one turn, and drops those that have ended. What these took on the disk is free for
  // the others then.
  void GiveTurns(std::vector<LiveRun*>& to) {
    for (LiveRun* const one : to) {
      if (!IsInterrupted()) GiveTurn(*one);
    }
    for (LiveRun* const one : to) {
      if (!one->waits) EndLive(*one);
    }
    std::erase_if(to, [](const LiveRun* one) { return one->is_over; });
  }

  // Runs the first phase that any of them waits for.
  void RunSlices(const std::vector<LiveRun*>& going, Random& random) {
    if (going.empty()) return;
    const auto phase_of = [](const LiveRun* one) { return one->waits->phase; };
    const size_t phase = std::ranges::min(going | std::views::transform(phase_of));
    std::vector<LiveRun*> in_phase;
    std::ranges::copy_if(going, std::back_inserter(in_phase),
                         [&](const LiveRun* one) { return phase_of(one) == phase; });
    // Those that take turns are no disturbance to each other.
    std::vector<pid_t> processes = {getpid()};
    std::vector<ProcessId> others;
    for (const LiveRun* one : going) {
      processes.push_back(one->taker->process());
      std::ranges::copy(one->taker->others(), std::back_inserter(others));
    }
    ConditionProbe conditions(std::move(processes));
    conditions.Include(std::move(others));
    conditions.Begin();
    while (!in_phase.empty() && !IsInterrupted()) {
      for (size_t i = in_phase.size(); i > 1; --i) {
        std::swap(in_phase[i - 1], in_phase[random.Below(i)]);
      }
      GiveTurns(in_phase);
      for (LiveRun* const one : in_phase) {
        if (one->waits->is_over) one->taker->TakeConditions(conditions.End());
      }
      std::erase_if(in_phase, [](const LiveRun* one) { return one->waits->is_over; });
    }
  }

  void EndLive(LiveRun& one) {
    planned_ = one.trial.planned;
    view_.GoOnWith(one.trial.run);
    one.is_over = true;
    const bool has_run = one.taker && one.taker->process() > 0;
    if (one.taker) LeaveStore(one.trial, one.taker->End(), std::move(one.store), one.row);
    // What had no turn because there was no room for the results of another has no row.
    if (has_run || !trouble_.any()) EndOne(one.trial, one.row);
  }

  // Keeps the image beside the place where the store was.
  void KeepFileSystem(RunFileSystem& file_system, const std::string& path) {
    const std::string image = fmt::format("{}.{}", path, now().settings.fs);
    const Status kept = file_system.EndAndKeep(image);
    view_.Say(kept.ok() ? fmt::format("its file system is kept: {} (mount -o loop)", image)
                        : kept.message());
  }

  void CannotStart(const Status& status, RunResult& row) {
    interrupted_ = interrupted_ || status.kind() == ErrorKind::kInterrupted;
    row.outcome = interrupted_ ? Outcome::kInterrupted : Outcome::kFailed;
    row.message = status.message();
    if (TellsOfAFullDisk(row.message)) row.cause = FailureCause::kDiskFull;
    view_.Say(fmt::format("{}: {}", NameOf(row.outcome), row.message));
  }

  bool IsAnotherRoundDue() const {
    const Settings& settings = now().settings;
    if (plan_.most_seconds > 0 && round_ > 0) {
      const double seconds = static_cast<double>(MonotonicNs() - begun_ns_) * 1e-9;
      const auto rounds = static_cast<double>(round_);
      if (seconds * (rounds + 1) / rounds > plan_.most_seconds) return false;
    }
    if (round_ < settings.repeat) return true;
    if (settings.precision == 0 || round_ >= settings.repeat_most) return false;
    return !std::ranges::all_of(recorders_, [&](const RunRecorder& recorder) {
      return recorder.IsPreciseTo(settings.precision);
    });
  }

  void TakeEnd(const RunEnd& end, RunResult& row) {
    interrupted_ = interrupted_ || end.interrupted;
    Conclude(end, now().phases, recorder().worst(), row);
    if (!end.low_space.empty()) view_.Say(fmt::format("{}: {}", row.engine, end.low_space));
    if (end.failure.empty()) return;
    view_.Say(fmt::format("failed: {}: {}", row.engine, row.message));
    for (const std::string& line : end.stderr_tail) view_.Say("    | " + line);
  }

  // Nothing if the next engine has room beside it, or if that is not known.
  static std::optional<FreeSpace> TooLittleBeside(const StoreDirectory& store) {
    const StatusOr<FreeSpace> space = FreeSpaceAt(store.path());
    if (!space.ok()) return std::nullopt;
    const StatusOr<uint64_t> taken = store.AllocatedBytes();
    const uint64_t needed = std::max(taken.ok() ? *taken : 0, LeastFreeBytes(space->total_bytes));
    return space->free_bytes < needed ? std::optional(*space) : std::nullopt;
  }

  // Returns whether the store stays. A store in which something went wrong is evidence, and stays
  // if the next engine has room beside it.
  bool CloseStore(StoreDirectory& store, const RunEnd& end, RunResult& row) {
    if (row.outcome == Outcome::kFailed && !now().settings.keep && !row.file_system) {
      if (const std::optional<FreeSpace> space = TooLittleBeside(store)) {
        view_.Say(fmt::format("its store is removed to free the space: {}; --keep keeps it",
                              SpaceText(*space)));
        Note(store.Remove(), row);
        return false;
      }
    }
    if (row.outcome == Outcome::kFailed || row.outcome == Outcome::kWrong) {
      Note(store.MarkTainted(), row);
      if (!row.file_system) view_.Say(fmt::format("its store is kept: {}", store.path()));
      return true;
    }
    // A store on its own file system is removed with it.
    if (row.file_system) return false;
    const bool stays = now().settings.keep || now().settings.single_db;
    if (stays) {
      Keep(MarkAtTheEnd(end, row.outcome, store));
    } else {
      Note(store.Remove(), row);
    }
    return stays;
  }

  // What could not be tidied up. What was measured stands.
  void Note(const Status& status, RunResult& row) {
    if (status.ok()) return;
    row.notes.push_back(status.message());
    view_.Say(fmt::format("note: {}: {}", row.engine, Printable(status.message())));
  }

  void Keep(const Status& status) { trouble_.Keep(status); }

  const Plan& plan_;
  RunListener* const listener_;
  const std::vector<PlannedRun> runs_;  // The runs of one round.
  size_t planned_ = 0;                  // Index of the present one.
  ProgressView view_;
  std::optional<IntervalReport> intervals_;
  std::string results_;  // Directory.
  FirstTrouble trouble_;
  bool interrupted_ = false;
  uint64_t round_ = 0;
  const uint64_t begun_ns_ = MonotonicNs();
  size_t run_ = 0;  // Counted over all rounds.
  CommitAudits audits_;
  std::deque<RunRecorder> recorders_;  // One for each run, once results exist to write to.
  std::optional<FleetGate> gate_;      // In a fleet,
  std::string left_;                   // and why this rank left the run before early.
  std::set<size_t> given_up_;          // Engines that failed or were wrong: they do not run again.
};

}  // namespace

DriverReport RunPlan(const Plan& plan, RunListener* listener) {
  return Driver(plan, listener).Run();
}

}  // namespace levelfield
