// The settings of one phase that differ from the run's: its own draws, its own duration, and the
// warm-up of --warmup. A warm-up is the same workload for so many seconds or operations, with other
// draws of the same hot keys. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_PHASE_SETTINGS_H_
#define LEVELFIELD_PLAN_PHASE_SETTINGS_H_

#include <cstdint>

#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

// Whether --warmup can be parsed. Required for the next function.
Status CheckWarmUp(const Settings& settings);

// The settings of a requested warm-up.
Settings WarmUpSettings(const Settings& settings);

// Whether a workload leaves the store unchanged. One that fills a store, erases from it, inserts
// into it or grows its values does not.
bool CanWarmUp(const Workload& workload);

// Whether --cache=cold applies: the page cache then forgets the store before the phase.
bool IsColdBefore(const Workload& workload, const Settings& settings);

// Whether the phase can be measured in slices, in turn with others: it is a loop on a store at full
// speed, without scheduled operations.
bool CanBeSliced(const PlannedPhase& phase);

// `seconds` is its duration if that differs from the settings, otherwise 0. `step` is the number of
// its load among several, from 1, otherwise 0.
Settings PhaseSettings(const Settings& settings, const PlannedPhase& phase, double seconds,
                       uint64_t step);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PHASE_SETTINGS_H_
