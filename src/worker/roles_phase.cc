#include "worker/roles_phase.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/clock.h"
#include "plan/compat.h"
#include "plan/phase_settings.h"
#include "probe/resource_probe.h"
#include "worker/ceiling_probe.h"
#include "worker/debt.h"
#include "worker/judge.h"
#include "worker/phase_conclusion.h"
#include "worker/store_text.h"
#include "worker/transactions.h"

namespace levelfield {
namespace {

double CpuSecondsOf(const PhaseRun& run) {
  uint64_t cpu_ns = 0;
  for (const RoleRun& role : run.roles) {
    for (const ThreadResult& result : role.results) cpu_ns += result.cpu_ns;
  }
  return static_cast<double>(cpu_ns) * 1e-9;
}

// With --watch; else nobody asks for any.
std::function<void(uint64_t)> ReportOfPercentiles(RunningPhase& now) {
  if (!now.settings().watch) return nullptr;
  return [&now](uint64_t latency_ns) { now.events().Send(Percentile99{latency_ns}); };
}

// The steps of the trace that the phase replays.
bool MakeTrace(RunningPhase& now, KnownStore& store, std::optional<TraceSteps>& trace) {
  const Role& role = now.first_role();
  StatusOr<TraceSteps> made = TraceSteps::Make(role.trace, role.threads, now.settings().seed,
                                               store.expected().NextVersion());
  if (!made.ok()) return now.Keep(Status::Failed(made.status().message()));
  trace = std::move(*made);
  now.Stage("run", false);
  return true;
}

// What the transactions of the role begin with; false where they cannot, and the result says why.
bool ReadCounters(RunningPhase& now, KnownStore& store, Counters32& counters) {
  if (store.Has(LF_NO_ANSWERS)) return true;
  StatusOr<Session> session = store.host().store().BeginSession();
  if (!now.Keep(session.status())) return false;
  StatusOr<Counters32> read =
      CountersBefore(now.first_role(), store.expected(), now.spec().origin.exists, store.values(),
                     store.key_shape(), *session, store.table());
  if (!now.Keep(read.status())) return false;
  counters = std::move(*read);
  return true;
}

}  // namespace

PhaseRun MeasurePhase(const PhaseContext& context, Instruments& instruments, PhaseResult& result) {
  instruments.conditions.Begin();
  instruments.resources.Begin();
  const uint64_t start_ns = MonotonicNs();
  PhaseRun run = RunPhase(context);
  result.run_seconds = SecondsSince(start_ns);
  result.resources = instruments.resources.End();
  result.resources->foreground_seconds = CpuSecondsOf(run);
  result.conditions =
      instruments.conditions.End(result.resources->user_seconds + result.resources->system_seconds);
  return run;
}

void RunRoles(RunningPhase& now, KnownStore& store, Instruments& instruments,
              OriginalStreams& streams, const RolesAsked& asked) {
  const WorkerSpec& spec = now.spec();
  const Workload& workload = now.workload();
  PhaseResult& result = now.result();
  const bool has_trace = now.first_role().operation->replays_trace;
  const bool has_transactions = now.first_role().operation->is_transaction;
  now.Stage(has_trace ? "prepare" : "run", has_trace);
  if (std::ranges::any_of(workload.roles, &Role::changes_store)) store.KnowEntries(0);
  const Settings settings = PhaseSettings(spec.settings, now.planned(), asked.seconds, asked.step);
  std::optional<TraceSteps> trace;
  if (has_trace && !MakeTrace(now, store, trace)) return;
  const PhaseContext context{
      .workload = &workload,
      .settings = &settings,
      .store = workload.need == StoreNeed::kNone ? nullptr : &store.host().store(),
      .values = &store.values(),
      .original = store.original(),
      .streams = IsExact(spec.settings) ? &streams : nullptr,
      .clock = &instruments.clock,
      .key_shape = store.key_shape(),
      .first_version = store.expected().NextVersion(),
      .layout_seed = spec.settings.seed,
      .trace = trace ? &*trace : nullptr,
      .before = &store.expected(),
      .store_existed = spec.origin.exists,
      .knows_values = spec.origin.knows_values,
      .load = asked.load,
      .is_interrupted = [&] { return now.IsInterrupted(); },
      .report_progress = [&](uint64_t done, uint64_t of) { now.Tell(done, of); },
      .report_percentile_99 = ReportOfPercentiles(now)};
  Counters32 counters;
  if (has_transactions && !ReadCounters(now, store, counters)) return;
  if (!ProbeCeilings(now, instruments.copy_bytes_per_second)) return;
  const EngineCounters before =
      context.store != nullptr ? context.store->Counters() : EngineCounters();
  const PhaseRun run = MeasurePhase(context, instruments, result);
  if (context.store != nullptr) {
    result.counters = CountersSince(before, context.store->Counters());
    NoteSizes(*context.store, store.table(), result);
  }
  const bool is_whole = run.code == LF_OK && !run.interrupted;
  if (is_whole && !SettleDebt(now, store.host(), instruments.settle_resources)) return;
  result.roles = Summarize(workload, run, spec.settings.histogram);
  result.ticks = run.ticks;
  if (asked.step == 0) {  // Of several, the first stands for the phase.
    for (const PhaseInterval& interval : run.intervals) {
      now.events().Send(IntervalEnded{now.number(), interval});
    }
  }
  result.clock_drift_ppm = instruments.clock.DriftPpm();
  ConcludePhase(now, store, run, counters, instruments.resources, streams);
}

}  // namespace levelfield
