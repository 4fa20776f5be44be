// A worker's phase whose roles work on the store, or on the machine, in threads: everything before
// the measured time, the measurement itself, and everything after it. Runs on the worker's main
// thread, which starts those threads and waits for them.
#ifndef LEVELFIELD_WORKER_ROLES_PHASE_H_
#define LEVELFIELD_WORKER_ROLES_PHASE_H_

#include "plan/load_settings.h"
#include "probe/condition_probe.h"
#include "probe/resource_probe.h"
#include "worker/phase.h"
#include "worker/running_phase.h"

namespace levelfield {

// Runs on the open store if the workload needs one. `load` comes from LoadOf(settings): a closed
// loop, one rate, or several rates in turn. It does not apply to a trace with its own times, to a
// phase that only loads the store, or to one that measures the machine.
void RunRoles(RunningPhase& now, const LoadAsked& load);

// The measured time and nothing else, with what it took from the machine.
PhaseRun MeasurePhase(const PhaseContext& context, ResourceProbe& resources,
                      ConditionProbe& conditions, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_ROLES_PHASE_H_
