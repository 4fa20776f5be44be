// From settings and facts to a whole plan: what runs, in which settings, before anything is made.
// `levelfield plan` prints it, and the driver carries it out. Every mistake is found here. Pure:
// the same settings and facts give the same plan on any machine. Any thread may call.
#ifndef LEVELFIELD_PLAN_MAKE_PLAN_H_
#define LEVELFIELD_PLAN_MAKE_PLAN_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "plan/facts.h"
#include "plan/known.h"
#include "plan/overhead_plan.h"
#include "plan/trial.h"
#include "result/result.h"
#include "settings/settings.h"

namespace levelfield {

struct Plan {
  std::string command;  // As typed, for the manifest.
  // At least one. Settings that do not belong to a single run, such as the number of rounds, are
  // equal in all.
  std::vector<PlannedVariant> variants;
  OverheadPlan overhead = {};  // Measures the harness's own cost, before anything else.

  std::vector<TriedSetting> tried = {};  // By an earlier pilot.
  std::vector<std::pair<std::string, double>> noise = {};  // Result::noise.
  // No further round begins that would probably end later than this. 0: any number of them.
  double most_seconds = 0;
  // An engine so many times slower than the fastest in the last workload of the first round is not
  // measured again. 0: each is in each round.
  double drop_slower = 0;

  const PlannedVariant& first() const { return variants.front(); }
  PlannedVariant& first() { return variants.front(); }
};

// An error also where something is open (known.h).
StatusOr<Plan> MakePlan(const Settings& settings, Known& known);
StatusOr<Plan> MakePlan(const Settings& settings, const Facts& facts);

// A measurement of the harness's own cost for that plan, on `null` and `memory`, unless they are in
// it anyway, or nothing else is. --price=0 leaves it out.
StatusOr<OverheadPlan> PlanOverheads(const Plan& plan, Known& known);

// Whether the command line sets the number of rounds: --repeat, --quick or --publish.
bool HasRounds(const Settings& settings);
// The same, or as many rounds as it takes: --precision.
bool HasVerdicts(const Settings& settings);

// An error where --slices=on is given and they have none. MakePlan asks this, so it is for whoever
// adds runs to a plan.
Status CheckRoomForSlices(const Plan& plan, Known& known);

// Has two builds of one engine with the same settings take turns in slices, where --slices does not
// say how they run, some workload can be cut, and all of them have room at once. What else is
// compared runs in whole rounds: in turns of milliseconds the engines empty each other's caches,
// and whoever is slow loses least by it.
StatusOr<Plan> PreferSlices(Plan plan, Known& known);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_MAKE_PLAN_H_
