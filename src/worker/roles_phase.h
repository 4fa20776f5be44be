// The phase of a worker whose roles work on the store, or on the machine, in threads: all that is
// before the measured time, the measurement itself, and all that is behind it. The worker's main
// thread, which starts those threads and waits for them.
#ifndef LEVELFIELD_WORKER_ROLES_PHASE_H_
#define LEVELFIELD_WORKER_ROLES_PHASE_H_

#include "plan/load_settings.h"
#include "probe/condition_probe.h"
#include "probe/resource_probe.h"
#include "worker/phase.h"
#include "worker/running_phase.h"

namespace levelfield {

// On the open store, where the workload needs one. `load` is what LoadOf(settings) gave: a closed
// loop, one rate, or a rate after the other. A trace with times of its own, what only loads the
// store and what measures the machine do not follow it.
void RunRoles(RunningPhase& now, const LoadAsked& load);

// Whether --cache=cold holds for this phase: the page cache then forgets the store before it.
bool IsColdBefore(const Workload& workload, const Settings& settings);

// The measured time, and nothing else, with what it took of the machine.
PhaseRun MeasurePhase(const PhaseContext& context, ResourceProbe& resources,
                      ConditionProbe& conditions, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_ROLES_PHASE_H_
