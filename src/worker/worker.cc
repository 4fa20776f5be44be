#include "worker/worker.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>
#include <string>
#include <utility>

#include "analysis/consistency.h"
#include "engine/loader.h"
#include "loop/original_streams.h"
#include "plan/load_settings.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "plan/planned_result.h"
#include "probe/allocator.h"
#include "probe/calls/call_tracer.h"
#include "probe/processors.h"
#include "process/process.h"
#include "worker/audit.h"
#include "worker/backups.h"
#include "worker/cache.h"
#include "worker/copy_phase.h"
#include "worker/instruments.h"
#include "worker/known_store.h"
#include "worker/load_phase.h"
#include "worker/phase_opening.h"
#include "worker/progress_ticker.h"
#include "worker/roles_phase.h"
#include "worker/running_phase.h"
#include "worker/store_phase.h"
#include "worker/store_text.h"

namespace levelfield {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void OnSignal(int) { interrupted.store(true); }

class Worker {
 public:
  Worker(WorkerSpec spec, const Engine& engine, MessageWriter& events)
      : spec_(std::move(spec)),
        events_(events),
        instruments_(spec_.settings.clock == "tsc", spec_.directory),
        store_(spec_, engine, events),
        backups_(spec_.settings, spec_.directory, spec_.engine),
        streams_(spec_.settings.dialect),
        ticker_(events),
        opening_(store_) {
    if (StatusOr<LoadAsked> load = LoadOf(spec_.settings); load.ok()) load_ = *load;
  }

  void Run() {
    TellFacts();
    for (size_t i = 0; i < spec_.phases.size(); ++i) events_.Send(PhaseEnded{i, ResultOf(i)});
    events_.Send(StageBegan{spec_.phases.size(), "close", true});
    double seconds = 0;
    const Status status = store_.host().Close(&seconds);
    if (!ended_by_.empty()) return;
    if (status.ok()) {
      events_.Send(StoreClosed{});
    } else {
      events_.Send(RunFailed{status.message()});
    }
  }

 private:
  void TellFacts() {
    const Clock& clock = instruments_.clock;
    events_.Send(WorkerFacts{
        .clock = clock.is_tsc() ? fmt::format("tsc, {:.3f} GHz", clock.ticks_per_second() * 1e-9)
                                : "CLOCK_MONOTONIC: " + clock.reason(),
        .allocator = AllocatorInForce(),
        .cpus = ProcessorsText(ProcessorsInForce())});
  }

  PhaseResult ResultOf(size_t i) {
    const PlannedPhase& phase = spec_.phases[i];
    PhaseResult result = PlannedResult(phase);
    result.timed = spec_.settings.histogram;
    if (interrupted.load()) {
      result.outcome = Outcome::kInterrupted;
      return result;
    }
    if (!ended_by_.empty()) {
      result.message = "not run: the store failed in " + ended_by_;
      return result;
    }
    RunningPhase now(spec_, i, events_, ticker_, interrupted, result);
    RunOne(now);
    if (now.ends_run()) ended_by_ = phase.workload.name;
    if (phase.workload.need != StoreNeed::kNone) result.live_bytes = store_.live_bytes();
    VoidIfInconsistent(result);
    return result;
  }

  void RunOne(RunningPhase& now) {
    if (now.workload().need == StoreNeed::kNone) {
      return RunRoles(now, store_, instruments_, streams_, {});
    }
    if (!opening_.Open(now)) return;
    const Operation& operation = *now.first_role().operation;
    if (operation.text != nullptr) {
      AskForText(now, store_.host().store());
    } else if (operation.backs_up || operation.restores) {
      RunCopies(now, store_, backups_, instruments_.resources, streams_);
    } else if (operation.is_of_store()) {
      RunOnStore(now, store_, instruments_.resources, streams_);
    } else {
      RunAtLoad(now, store_, instruments_, streams_, load_);
    }
  }

  WorkerSpec spec_;
  MessageWriter& events_;
  Instruments instruments_;
  KnownStore store_;
  Backups backups_;
  OriginalStreams streams_;  // Asked with --compat=exact alone.
  ProgressTicker ticker_;
  PhaseOpening opening_;
  LoadAsked load_;
  std::string ended_by_;  // The workload in which the store failed; empty: none yet.
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

Status RunSpec(MessageWriter& events) {
  ASSIGN_OR_RETURN(WorkerSpec spec, ReadSpec());
  // Both before the engine is loaded, which may begin threads at once.
  if (spec.audits) GoOnTraced();
  if (!spec.settings.cpus.empty()) {
    ASSIGN_OR_RETURN(const std::vector<int> processors, ParseProcessors(spec.settings.cpus));
    RETURN_IF_ERROR(RunOnProcessors(processors));
  }
  if (spec.cache) return RunCache(spec, events, interrupted);
  ASSIGN_OR_RETURN(const EngineSpec engine_spec, ParseEngineSpec(spec.engine));
  ASSIGN_OR_RETURN(const Engine engine, LoadEngine(engine_spec, EngineDirectory()));
  if (spec.audits) {
    AuditClasses(spec, engine, events);
  } else {
    Worker(std::move(spec), engine, events).Run();
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
  MessageWriter events(kEventFd);
  const Status status = RunSpec(events);
  if (!status.ok()) events.Send(RunFailed{status.message()});
  events.Send(Done{});
  return 0;
}

}  // namespace levelfield
