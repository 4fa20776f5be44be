// From settings to a plan. Finds out which engines can do what was asked by asking them, each in a
// process of its own. Creates nothing.
#ifndef LEVELFIELD_VERBS_MAKE_PLAN_H_
#define LEVELFIELD_VERBS_MAKE_PLAN_H_

#include <string>

#include "plan/make_plan.h"
#include "settings/settings.h"

namespace levelfield {

// Adds a measurement of the harness's own cost to the plan, on `null` and `memory`, unless they are
// in it anyway, or nothing else is. --price=0 leaves it out.
void AddOverheads(Plan& plan);

// `command` is as typed, for the manifest.
StatusOr<Plan> MakePlan(const Settings& settings, std::string command);

// Whether the command line sets the number of rounds: --repeat, --quick or --publish.
bool HasRounds(const Settings& settings);
// The same, or as many rounds as it takes: --precision.
bool HasVerdicts(const Settings& settings);

// An error where --slices=on is given and they have none. MakePlan asks this, so it is for whoever
// adds runs to a plan.
Status CheckRoomForSlices(const Plan& plan);

// Has two builds of one engine with the same settings take turns in slices, where --slices does not
// say how they run, some workload can be cut, and all of them have room at once. What else is
// compared runs in whole rounds: in turns of milliseconds the engines empty each other's caches, and
// whoever is slow loses least by it.
void PreferSlices(Plan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_MAKE_PLAN_H_
