#include "worker/rest_of_fill.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "plan/completed_fills.h"
#include "worker/memory_limit.h"
#include "worker/settle.h"

namespace levelfield {
namespace {

size_t FillerIn(const Workload& workload) {
  return static_cast<size_t>(std::ranges::find_if(workload.roles, FillsByCount) -
                             workload.roles.begin());
}

uint64_t DoneBy(const RoleRun& role) {
  uint64_t done = 0;
  for (const ThreadResult& result : role.results) done += result.Operations();
  return done;
}

uint64_t LeftBy(const RoleRun& role) {
  return role.planned_operations - std::min(role.planned_operations, DoneBy(role));
}

// Seconds that the rest takes at the rate so far. 0: not known.
double SecondsAtItsRate(const RoleRun& role, const RoleResult& measured) {
  const double rate = measured.OperationsPerSecond();
  return rate > 0 ? static_cast<double>(LeftBy(role)) / rate : 0;
}

// The fill alone: nobody reads or expires beside it, and nothing is due at a time.
Workload AloneAndAtFullSpeed(const Workload& workload) {
  Workload alone = workload;
  alone.roles = {workload.roles[FillerIn(workload)]};
  alone.roles.front().rate = 0;
  return alone;
}

void AddTo(RoleRun& all, const RoleRun& rest) {
  for (size_t t = 0; t < all.results.size(); ++t) {
    ThreadResult& result = all.results[t];
    const ThreadResult& more = rest.results[t];
    if (result.statistics.empty()) {
      result.statistics = more.statistics;
    } else {
      for (size_t i = 0; i < more.statistics.size(); ++i) {
        result.statistics[i].counts.operations += more.statistics[i].counts.operations;
      }
    }
    if (!more.statistics.empty()) result.disposal = more.disposal;
  }
}

// What the fill has left behind is the engine's, as after the measurement.
Status SettleRest(RunningPhase& now) {
  if (now.settings().carry_debt) return Status::Ok();
  return SettleStore(now.store().open(), now.result(), SettleRule(),
                     [&](uint64_t ms, uint64_t of) {
                       now.Tell(ms, of);
                       return !now.IsInterrupted();
                     })
      .status();
}

}  // namespace

bool HasRest(RunningPhase& now, const PhaseRun& run) {
  if (now.planned().completed_for.empty() || run.interrupted || run.code != LF_OK) return false;
  return !now.store().Has(LF_NO_ANSWERS) && LeftBy(run.roles[FillerIn(now.workload())]) != 0;
}

void WriteRest(RunningPhase& now, const PhaseContext& measured, PhaseRun& run) {
  const size_t filler = FillerIn(now.workload());
  RoleRun& fill = run.roles[filler];
  const Workload workload = AloneAndAtFullSpeed(now.workload());
  Settings settings = *measured.settings;
  settings.duration = 0;
  settings.histogram = false;
  settings.interval_seconds = 0;
  PhaseContext context = measured;
  context.workload = &workload;
  context.settings = &settings;
  context.load = std::nullopt;
  context.turns = std::nullopt;
  context.least_operations = 0;
  context.earlier = &fill;
  context.report_percentile_99 = nullptr;
  now.events().Send(RestBegan{now.number(), DoneBy(fill), LeftBy(fill),
                              SecondsAtItsRate(fill, now.result().roles[filler])});
  now.BeginStage(Stage::kRest, false);
  if (!now.Keep(LiftMemoryLimit(now.worker()))) return;
  const uint64_t begun_ns = MonotonicNs();
  const PhaseRun rest = RunPhase(context);
  now.result().rest = {workload.roles.front().name, DoneBy(rest.roles.front()),
                       SecondsSince(begun_ns)};
  AddTo(fill, rest.roles.front());
  if (rest.code != LF_OK) {
    (void)now.Keep(Status::Failed("in the rest of the fill, which is not measured: " + rest.error));
    return;
  }
  now.BeginStage(Stage::kSettle, true);
  if (!now.Keep(SettleRest(now)) || now.settings().memory == 0) return;
  double seconds = 0;
  if (now.Keep(HoldMemoryLimit(now.worker()))) {
    (void)now.Keep(now.store().EnsureOpen(now.planned().durability, &seconds));
  }
}

}  // namespace levelfield
