#include "worker/phase_conclusion.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "result/load_verdict.h"
#include "worker/judge.h"
#include "worker/read_back.h"
#include "worker/store_text.h"

namespace levelfield {
namespace {

constexpr double kMostDriftPpm = 50;

// How the operations ended; false where the engine failed at one.
bool TakeOutcome(RunningPhase& now, const PhaseRun& run) {
  PhaseResult& result = now.result();
  if (run.code == LF_UNSUPPORTED) {
    result.outcome = Outcome::kUnsupported;
    result.message = run.error;
  } else if (run.code != LF_OK) {
    return now.Keep(
        Status::Failed(fmt::format("{}; the numbers are those until the error", run.error)));
  } else {
    result.outcome = run.interrupted ? Outcome::kInterrupted : Outcome::kOk;
  }
  return true;
}

void Judge(RunningPhase& now, KnownStore& store, const PhaseRun& run) {
  const StoreOrigin& origin = now.spec().origin;
  const bool keeps_answers = !store.Has(LF_NO_ANSWERS);
  if (now.workload().need == StoreNeed::kNone) return JudgeMachine(run, now.result());
  now.Stage("check", true);
  if (origin.exists && keeps_answers) {
    JudgeExisting(now.workload(), run, origin, store.entries(), now.result());
  } else {
    JudgeAnswers(now.workload(), run, store.expected(), store.stored_values(), keeps_answers,
                 now.result());
  }
}

// What was written to the store is expected there from now on, and what the originals would have
// drawn for it is drawn. Whether there was anything.
bool TakeWrites(const RunningPhase& now, KnownStore& store, const PhaseRun& run,
                OriginalStreams& streams) {
  const Workload& workload = now.workload();
  if (workload.need == StoreNeed::kNone) {
    streams.EndedWithoutKeys(workload.name, now.settings().threads);
  } else {
    streams.EndedPhase(DrawsOf(workload, run));
  }
  const std::vector<WriteLayer> layers = LayersOf(workload, run);
  for (const WriteLayer& layer : layers) {
    if (layer.windows) streams.Wrote(*layer.windows, layer.shares.front().operations);
    store.expected().Add(layer);
  }
  return !layers.empty();
}

// The same for what transactions have added to their counters.
void TakeTransactions(RunningPhase& now, KnownStore& store, const PhaseRun& run,
                      const Counters32& counters) {
  if (store.Has(LF_NO_ANSWERS)) return;
  const Role& role = now.first_role();
  CountersAfter after = Grow(role, run.roles.front(), counters);
  if (now.result().outcome == Outcome::kOk) JudgeTransactions(role, after, now.result());
  store.expected().AddVersions(std::move(after.counters), role.value_size.most());
}

}  // namespace

void ConcludePhase(RunningPhase& now, KnownStore& store, const PhaseRun& run,
                   const Counters32& counters, const ResourceProbe& resources,
                   OriginalStreams& streams) {
  PhaseResult& result = now.result();
  if (!TakeOutcome(now, run)) return;
  if (result.outcome == Outcome::kOk) Judge(now, store, run);
  const bool has_transactions = now.first_role().operation->is_transaction;
  const bool wrote = TakeWrites(now, store, run, streams) || has_transactions;
  if (has_transactions) TakeTransactions(now, store, run, counters);
  if (now.workload().need != StoreNeed::kNone) {
    AskForProperty(store.host().store(), now.settings().phase_property, result);
  }
  if (wrote && result.outcome == Outcome::kOk) VerifyWhatIsKept(now, store, resources);
  VoidIfClockDrifted(result);
  VoidIfLoadIsNotKept(result);
}

void VoidIfClockDrifted(PhaseResult& result) {
  if (result.outcome != Outcome::kOk || std::abs(result.clock_drift_ppm) <= kMostDriftPpm) return;
  result.outcome = Outcome::kInvalid;
  result.message = fmt::format(
      "the time-stamp counter ran away from CLOCK_MONOTONIC by {:.0f} ppm (a migration or a "
      "suspend); run it again, or with --clock=monotonic",
      result.clock_drift_ppm);
}

}  // namespace levelfield
