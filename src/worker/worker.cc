#include "worker/worker.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>
#include <string>
#include <utility>

#include "engine/loader.h"
#include "plan/load_settings.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "probe/calls/call_tracer.h"
#include "probe/machine.h"
#include "process/process.h"
#include "worker/audit.h"
#include "worker/cache.h"
#include "worker/fleet.h"
#include "worker/memory_limit.h"
#include "worker/phase_opening.h"
#include "worker/roles_phase.h"
#include "worker/running_phase.h"
#include "worker/store_phase.h"

namespace levelfield {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) { interrupted.store(true); }

void TellFacts(WorkerState& worker) {
  const Clock& clock = worker.clock;
  worker.events.Send(WorkerFacts{.clock = clock.Words(),
                                 .clock_kind = clock.kind(),
                                 .allocator = AllocatorInForce(),
                                 .cpus = ProcessorsText(ProcessorsInForce())});
}

// Closes it. What failed stays where it is, as does what the user keeps.
Status LeaveStore(WorkerState& worker, bool has_failed) {
  double seconds = 0;
  RETURN_IF_ERROR(worker.store.Close(&seconds));
  // Rank 0 may remove it when nobody uses it any more.
  if (worker.spec.fleet.is_fleet()) {
    RETURN_IF_ERROR(worker.events.Meet({.gate = "the end of the run"}).status());
  }
  const bool stays = has_failed || worker.spec.settings.keep || worker.spec.settings.single_db;
  return stays ? Status::Ok() : worker.store.RemoveFromServer();
}

// Before the phase.
PhaseResult EmptyResult(const WorkerSpec& spec, const PlannedPhase& phase) {
  PhaseResult result = PlannedResult(phase);
  result.timed = spec.settings.histogram;
  const FleetPlace& fleet = spec.fleet;
  if (fleet.is_fleet()) {
    result.rank.emplace(RankShare{.id = fleet.id, .rank = fleet.rank, .of = fleet.of});
  }
  return result;
}

void RunPhases(const WorkerSpec& spec, const Engine& engine, MessageWriter& events) {
  WorkerState worker(spec, engine, events, interrupted);
  PhaseOpening opening;
  const StatusOr<LoadAsked> load = LoadOf(spec.settings);
  TellFacts(worker);
  if (!spec.settings.record.empty()) worker.recorder.emplace(spec.settings.record, engine.table());
  std::string ended_by;  // The workload in which the store failed; empty: none yet.
  for (size_t i = 0; i < spec.phases.size(); ++i) {
    const PlannedPhase& phase = spec.phases[i];
    PhaseResult result = EmptyResult(spec, phase);
    if (interrupted.load()) {
      result.outcome = Outcome::kInterrupted;
    } else if (!ended_by.empty()) {
      result.message = "not run: the store failed in " + ended_by;
    } else {
      RunningPhase now(worker, i, result);
      const bool lifts_limit = phase.implicit;
      const bool may_run = !lifts_limit || now.Keep(LiftMemoryLimit(worker));
      if (may_run && opening.IsPossible(now) && OpenInTurn(now, opening)) {
        phase.workload.roles.front().operation->is_of_store()
            ? RunOnStore(now)
            : RunRoles(now, load.ok() ? *load : LoadAsked());
      }
      if (lifts_limit && !now.ends_run()) (void)now.Keep(HoldMemoryLimit(worker));
      if (now.ends_run()) ended_by = phase.workload.name;
      if (now.needs_store()) result.live_bytes = worker.store.live_bytes();
    }
    events.Send(PhaseEnded{i, std::move(result)});
  }
  events.Send(StageBegan{spec.phases.size(), Stage::kClose, true});
  const Status status = LeaveStore(worker, !ended_by.empty());
  if (!ended_by.empty()) return;
  if (worker.recorder && !interrupted.load()) {
    const StatusOr<std::string> recorded = worker.recorder->Finish();
    if (!recorded.ok()) return events.Send(RunFailed{recorded.status().message()});
    events.Send(Noted{*recorded});
  }
  if (status.ok()) {
    events.Send(StoreClosed{});
  } else {
    events.Send(RunFailed{status.message()});
  }
}

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

Status RunSpec(MessageWriter& events) {
  ASSIGN_OR_RETURN(WorkerSpec spec, ReadSpec());
  if (spec.fleet.is_fleet()) TakeShareOfRates(spec);
  // Both come before the engine is loaded, because it may start threads at once.
  if (spec.audits) GoOnTraced();
  if (!spec.settings.cpus.empty()) {
    ASSIGN_OR_RETURN(const std::vector<int> processors, ParseProcessors(spec.settings.cpus));
    RETURN_IF_ERROR(RunOnProcessors(processors));
  }
  if (spec.cache) return RunCache(spec, events, interrupted);
  ASSIGN_OR_RETURN(const EngineSpec engine_spec, ParseEngineSpec(spec.engine));
  ASSIGN_OR_RETURN(const Engine engine, LoadEngine(engine_spec, EnginePlaces()));
  if (spec.audits) {
    AuditClasses(spec, engine, events);
  } else {
    RunPhases(spec, engine, events);
  }
  return Status::Ok();
}

}  // namespace

int RunWorker() {
  std::ios::sync_with_stdio(false);
  std::cin.rdbuf()->pubsetbuf(nullptr, 0);  // The answers after the specification are read raw.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  MessageWriter events(kEventFd);
  const Status status = RunSpec(events);
  if (!status.ok()) events.Send(RunFailed{status.message()});
  events.Send(Done{});
  return 0;
}

}  // namespace levelfield
