// The settings of one phase where they differ from the run's: its own draws, its own duration, and
// the warm-up of --warmup. A warm-up is the same workload for so many seconds or operations, with
// other draws of the same hot keys. Pure; any thread.
#ifndef LEVELFIELD_PLAN_PHASE_SETTINGS_H_
#define LEVELFIELD_PLAN_PHASE_SETTINGS_H_

#include <cstdint>

#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

// Whether --warmup can be read; the next may be asked only where it can.
Status CheckWarmUp(const Settings& settings);

// The settings that the warm-up runs with, where one is asked for.
Settings WarmUpSettings(const Settings& settings);

// Whether a workload leaves the store that it reads as it was. What fills a store, erases from it,
// inserts into it or lets its values grow does not.
bool CanWarmUp(const Workload& workload);

// Whether the phase can be measured in slices, in turn with others: it measures a loop on a store,
// as fast as that can, and nothing in it is due at a time.
bool CanBeSliced(const PlannedPhase& phase);

// `seconds` is how long it is to last where that is not what the settings say; else 0. `step` is
// which one of several loads it is, from 1; else 0.
Settings PhaseSettings(const Settings& settings, const PlannedPhase& phase, double seconds,
                       uint64_t step);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PHASE_SETTINGS_H_
