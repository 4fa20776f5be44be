// The settings that one phase runs with, where they are other than the run's: draws of its own, and
// its own duration. Pure; any thread.
#ifndef LEVELFIELD_PLAN_PHASE_SETTINGS_H_
#define LEVELFIELD_PLAN_PHASE_SETTINGS_H_

#include <cstdint>

#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

// `seconds` is how long it is to last where that is not what the settings say; else 0. `step` is
// which one of several loads it is, from 1; else 0.
Settings PhaseSettings(const Settings& settings, const PlannedPhase& phase, double seconds,
                       uint64_t step);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PHASE_SETTINGS_H_
