#include "worker/roles_phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "analysis/durability.h"
#include "analysis/validity.h"
#include "base/clock.h"
#include "base/whole_file.h"
#include "operations/answers.h"
#include "plan/compat.h"
#include "plan/file_system_settings.h"
#include "plan/load_steps.h"
#include "plan/phase_settings.h"
#include "probe/medium_probe.h"
#include "result/load_verdict.h"
#include "worker/fleet.h"
#include "worker/phase.h"
#include "worker/phase_conclusion.h"
#include "worker/settle.h"
#include "worker/store_phase.h"
#include "worker/verifier.h"

namespace levelfield {
namespace {

// How the roles run: in a closed loop, or at a load; for how long, if not as the settings say; and
// the number of the step, if there are several.
struct RolesAsked {
  std::optional<PhaseLoad> load = {};
  double seconds = 0;
  uint64_t step = 0;
};

// Notes how much of the store the page cache has. Before a cold phase, it makes the cache forget
// the store, which is closed meanwhile, with the engine's own caches. Returns whether the phase can
// go on.
bool BeginCache(RunningPhase& now) {
  KnownStore& store = now.store();
  if (store.Has(LF_VOLATILE) || store.Has(LF_NO_ANSWERS)) return true;
  if (!IsColdBefore(now.workload(), now.settings())) {
    return now.Keep(now.events().Ask(Request::kLookAtPageCache));
  }
  now.BeginStage(Stage::kDrop, true);
  double seconds = 0;
  return now.Keep(store.Close(&seconds)) && now.Keep(now.events().Ask(Request::kDropPageCache)) &&
         now.Keep(store.EnsureOpen(now.planned().durability, &now.result().open_seconds));
}

// Notes what limits the phase on this machine: if it writes, the device below the store, and, if
// each commit is flushed, how long a sync takes there. Returns whether the
// phase can go on: its class may be impossible here.
bool ProbeCeilings(RunningPhase& now) {
  if (!now.needs_store()) return true;
  PhaseResult& result = now.result();
  result.limits.emplace();
  if (!now.writes()) return true;
  const Medium& medium =
      result.medium.emplace(MediumOf(now.spec().directory, JournalPlaceOf(now.settings())));
  if (!ClaimsFlushes(result)) return true;
  if (const std::string eater = SyncEaterIn(ReadAll("/proc/self/maps")); !eater.empty()) {
    result.void_because = fmt::format(
        "not durable: {} is preloaded, which has syncs do nothing; run it without", eater);
    return false;
  }
  if (!medium.volatile_because.empty() && !now.settings().allow_volatile) {
    now.End(Outcome::kUnsupported,
            fmt::format("nothing is synced where the store is: {}; give --db on a disk, or "
                        "--allow_volatile for a number that says so",
                        medium.volatile_because));
    return false;
  }
  now.BeginStage(Stage::kProbe, true);
  const bool is_known = now.Keep(now.events().Ask(Request::kTimeSyncs));
  now.BeginStage(Stage::kRun, false);
  return is_known;
}

// The steps of the trace that the phase replays.
bool MakeTrace(RunningPhase& now, std::optional<TraceSteps>& trace) {
  const Role& role = now.first_role();
  StatusOr<TraceSteps> made = TraceSteps::Make(role.trace, role.threads, now.settings().seed,
                                               now.store().expected().NextVersion());
  if (!made.ok()) return now.Keep(Status::Failed(made.status().message()));
  trace = std::move(*made);
  now.BeginStage(Stage::kRun, false);
  return true;
}

// The counters at the begin of the role's transactions; false if it has none, and the result says
// why.
bool ReadVersions(RunningPhase& now, std::vector<uint32_t>& versions) {
  KnownStore& store = now.store();
  const Role& role = now.first_role();
  if (!role.operation->is_transaction() || store.Has(LF_NO_ANSWERS)) return true;
  StatusOr<Session> session = store.open().BeginSession();
  if (!now.Keep(session.status())) return false;
  StatusOr<std::vector<uint32_t>> read =
      role.operation->versions_before({.role = role,
                                       .model = store.expected(),
                                       .store_existed = now.spec().origin.exists,
                                       .values = store.values(),
                                       .shape = store.key_shape(),
                                       .session = session->get(),
                                       .table = store.table()});
  if (!now.Keep(read.status())) return false;
  versions = std::move(*read);
  return true;
}

}  // namespace

PhaseRun MeasurePhase(const PhaseContext& context, ResourceProbe& resources,
                      ConditionProbe& conditions, PhaseResult& result) {
  conditions.Begin();
  resources.Begin();
  const uint64_t start_ns = MonotonicNs();
  PhaseRun run = RunPhase(context);
  result.run_seconds = SecondsSince(start_ns) - static_cast<double>(run.waited_ns) * 1e-9;
  result.resources = resources.End();
  uint64_t cpu_ns = 0;
  for (const RoleRun& role : run.roles) {
    for (const ThreadResult& thread : role.results) cpu_ns += thread.cpu_ns;
  }
  result.resources->foreground_seconds = static_cast<double>(cpu_ns) * 1e-9;
  if (!run.slices) {
    result.conditions = conditions.End();
  } else {  // The driver adds them: it knows what the others that took turns have used.
    conditions.StartOver();
  }
  result.slices = run.slices;
  return run;
}

namespace {

// How the phase takes turns with others, if that was asked for and it can be cut: in a closed loop
// without a rate, nothing is due while it is frozen. A phase that loads a store for the next, or
// that works on files outside the loop, runs in one piece.
std::optional<SliceTurns> TurnsOf(RunningPhase& now, bool is_open_loop) {
  if (!now.spec().takes_turns || is_open_loop || !CanBeSliced(now.planned())) return std::nullopt;
  constexpr double kFlushFactor = 10;  // Turns have many of them.
  const bool flushes = now.writes() && ClaimsFlushes(now.result());
  const double seconds = now.settings().slice * (flushes ? kFlushFactor : 1);
  return SliceTurns{.length = std::chrono::nanoseconds(static_cast<int64_t>(seconds * 1e9)),
                    .wait_for_next = [&now, flushes](bool is_over) {
                      return now.events().AwaitTurn({now.number(), is_over, flushes},
                                                    [&] { return now.IsInterrupted(); });
                    }};
}

// Where a flush takes 10 ms, a third of a second has few commits. The six rounds that a verdict
// needs then have more than a thousand. A thread that a busy machine has not let begin by the end
// of --duration has measured nothing, not even whether the engine can do it. An open loop ends at
// its time.
uint64_t LeastOperationsOf(RunningPhase& now, const RolesAsked& asked) {
  constexpr uint64_t kLeastFlushedCommits = 200;
  if (asked.load) return 0;
  // A fill of a fleet ends when it is whole: nobody writes the rest of others.
  if (now.spec().fleet.is_fleet() && now.workload().need == StoreNeed::kEmpty) return UINT64_MAX;
  return now.writes() && ClaimsFlushes(now.result()) ? kLeastFlushedCommits : 1;
}

// Nobody asked for what only prepares a workload.
CallRecorder* RecorderOf(RunningPhase& now) {
  const bool is_asked_for = !now.planned().implicit && !now.planned().leads_in;
  return now.worker().recorder && is_asked_for ? &*now.worker().recorder : nullptr;
}

// What the phase's result has of a run that is over; then its answers are checked.
void KeepWhatWasMeasured(RunningPhase& now, const RolesAsked& asked, const PhaseContext& context,
                         const EngineCounters& before, PhaseRun& run) {
  const Workload& workload = now.workload();
  PhaseResult& result = now.result();
  WorkerState& worker = now.worker();
  if (run.code == LF_OK) now.IsUnderWay();
  if (context.store != nullptr) {
    result.counters = CountersSince(before, context.store->Counters());
    NoteSizes(now);
  }
  if (run.code == LF_OK && !run.interrupted && !SettlePhase(now)) return;
  result.roles = Summarize(workload, run, now.settings().histogram);
  result.ticks = run.ticks;
  if (asked.step == 0) {  // The first of several steps stands for the phase.
    for (const PhaseInterval& interval : run.intervals) {
      now.events().Send(IntervalEnded{now.number(), interval});
    }
  }
  result.clock_drift_ppm = worker.clock.DriftPpm();
  if (result.limits) {  // Again: a neighbour may have slowed down the copies at the start.
    worker.copy_bytes_per_second = std::max(worker.copy_bytes_per_second, MeasureCopies());
    result.limits->copy_bytes_per_second = worker.copy_bytes_per_second;
  }
  ConcludePhase(now, context, run);
}

void RunOnce(RunningPhase& now, const RolesAsked& asked) {
  const WorkerSpec& spec = now.spec();
  const Workload& workload = now.workload();
  PhaseResult& result = now.result();
  KnownStore& store = now.store();
  WorkerState& worker = now.worker();
  const bool has_trace = now.first_role().operation->replays_trace;
  now.BeginStage(has_trace ? Stage::kPrepare : Stage::kRun, has_trace);
  if (now.writes()) store.KnowEntries(0);
  const Settings settings = PhaseSettings(spec.settings, now.planned(), asked.seconds, asked.step);
  std::optional<TraceSteps> trace;
  if (has_trace && !MakeTrace(now, trace)) return;
  std::vector<uint32_t> versions;
  if (!ReadVersions(now, versions) || !ProbeCeilings(now)) return;
  int64_t clock_offset_ns = 0;  // In a fleet, from its begin on.
  const PhaseContext context{
      .workload = &workload,
      .settings = &settings,
      .store = now.needs_store() ? &store.open() : nullptr,
      .values = &store.values(),
      .original = store.original(),
      .streams = IsExact(spec.settings) ? &worker.streams : nullptr,
      .clock = &worker.clock,
      .key_shape = store.key_shape(),
      .first_version = store.expected().NextVersion(),
      .layout_seed = spec.settings.seed,
      .mention = now.planned().mention,
      .trace = trace ? &*trace : nullptr,
      .recorder = RecorderOf(now),
      .before = &store.expected(),
      .versions_before = &versions,
      .store_existed = spec.origin.exists,
      .knows_values = spec.origin.knows_values,
      .load = asked.load,
      .turns = TurnsOf(now, asked.load.has_value()),
      .least_operations = LeastOperationsOf(now, asked),
      .fleet = spec.fleet,
      .await_begin = spec.fleet.is_fleet()
                         ? [&](const std::string&
                                   failure) { return BeginInFleet(now, failure, clock_offset_ns); }
                         : std::function<Status(const std::string&)>(),
      .is_interrupted = [&] { return now.IsInterrupted(); },
      .report_progress = [&](uint64_t done, uint64_t of) { now.Tell(done, of); },
      .report_percentile_99 = now.settings().watch
                                  ? [&](uint64_t ns) { now.events().Send(Percentile99{ns}); }
                                  : std::function<void(uint64_t)>()};
  const EngineCounters before =
      context.store != nullptr ? context.store->Counters() : EngineCounters();
  PhaseRun run = MeasurePhase(context, worker.resources, worker.conditions, result);
  if (spec.fleet.is_fleet() && run.code == LF_OK) EndInFleet(now, context, clock_offset_ns, run);
  KeepWhatWasMeasured(now, asked, context, before, run);
}

// One step of several; if it cannot go on, the phase's result says why.
std::optional<LoadStep> RunStepOf(RunningPhase& now, Arrival arrival, const StepAsked& asked) {
  PhaseResult of_step;
  of_step.workload = now.result().workload;
  RunningPhase step = now.StepOf(of_step);
  RunOnce(step,
          {.load = PhaseLoad{arrival, asked.rate}, .seconds = asked.seconds, .step = asked.number});
  if (step.ends_run()) now.EndRun();
  VoidIfUnsound(of_step);
  const bool has_verdict = !of_step.roles.empty() && of_step.roles.front().load &&
                           (of_step.outcome == Outcome::kOk ||
                            of_step.roles.front().load->verdict == LoadOutcome::kNotSustainable);
  if (!has_verdict) {
    now.End(of_step.outcome,
            fmt::format("at {} operations a second: {}", asked.rate, of_step.message));
    return std::nullopt;
  }
  const RoleResult& role = of_step.roles.front();
  return LoadStep{.rate = asked.rate,
                  .achieved = role.OperationsPerSecond(),
                  .seconds = role.seconds,
                  .verdict = role.load->verdict,
                  .message = JudgeLoad(role).message,
                  .service_ns = ServiceTimes(role),
                  .response_ns = ResponseTimes(role),
                  .lateness_ns = role.load->lateness_ns};
}

}  // namespace

void RunRoles(RunningPhase& now, const LoadAsked& load) {
  if (!now.needs_store()) return RunOnce(now, {});
  if (!BeginCache(now)) return;
  if (const TracePlan& trace = now.first_role().trace; trace.speed > 0) {
    return RunOnce(now, {.load = PhaseLoad{Arrival::kTrace, trace.Rate()}});
  }
  if (now.planned().implicit || load.kind == LoadAsked::Kind::kClosed) return RunOnce(now, {});
  if (!load.has_steps()) {
    const RateCurve* const curve = load.curve.empty() ? nullptr : &load.curve;
    return RunOnce(now, {.load = PhaseLoad{load.arrival, load.rate, curve}});
  }
  const double duration = now.settings().duration;
  RunOnce(now, {.seconds = StepSeconds(load, duration, 0)});
  if (now.result().outcome != Outcome::kOk || !WhyVoid(now.result()).empty()) return;
  RunLoadSteps(
      load, duration, [&](const StepAsked& asked) { return RunStepOf(now, load.arrival, asked); },
      now.result());
}

}  // namespace levelfield
