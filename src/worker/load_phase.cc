#include "worker/load_phase.h"

#include <fmt/format.h>

#include <optional>

#include "analysis/consistency.h"
#include "plan/load_steps.h"
#include "result/load_verdict.h"
#include "worker/cold_cache.h"
#include "worker/roles_phase.h"

namespace levelfield {
namespace {

// One step of several; where it cannot go on, the phase's result says why.
std::optional<LoadStep> RunStepOf(RunningPhase& now, KnownStore& store, Instruments& instruments,
                                  OriginalStreams& streams, Arrival arrival,
                                  const StepAsked& asked) {
  PhaseResult of_step;
  of_step.workload = now.result().workload;
  RunningPhase step = now.StepOf(of_step);
  RunRoles(
      step, store, instruments, streams,
      {.load = PhaseLoad{arrival, asked.rate}, .seconds = asked.seconds, .step = asked.number});
  if (step.ends_run()) now.EndRun();
  VoidIfInconsistent(of_step);
  const bool has_verdict =
      !of_step.roles.empty() && of_step.roles.front().load &&
      (of_step.outcome == Outcome::kOk || of_step.roles.front().load->verdict != kLoadOk);
  if (!has_verdict) {
    now.result().outcome = of_step.outcome;
    now.result().message =
        fmt::format("at {} operations a second: {}", asked.rate, of_step.message);
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

}  // namespace

void RunAtLoad(RunningPhase& now, KnownStore& store, Instruments& instruments,
               OriginalStreams& streams, const LoadAsked& load) {
  if (!BeginCache(now, store)) return;
  const auto run = [&](const RolesAsked& asked) {
    RunRoles(now, store, instruments, streams, asked);
  };
  if (const TracePlan& trace = now.first_role().trace; trace.speed > 0) {
    return run({.load = PhaseLoad{Arrival::kTrace, trace.Rate()}});
  }
  if (now.planned().implicit || load.kind == LoadAsked::Kind::kClosed) return run({});
  if (!load.has_steps()) return run({.load = PhaseLoad{load.arrival, load.rate}});
  const double duration = now.settings().duration;
  run({.seconds = StepSeconds(load, duration, 0)});
  if (now.result().outcome != Outcome::kOk) return;
  RunLoadSteps(
      load, duration,
      [&](const StepAsked& asked) {
        return RunStepOf(now, store, instruments, streams, load.arrival, asked);
      },
      now.result());
}

}  // namespace levelfield
