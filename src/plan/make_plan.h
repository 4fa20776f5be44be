// A whole plan: what runs, in which settings, before anything is made. `levelfield plan` prints it,
// and the driver carries it out.
#ifndef LEVELFIELD_PLAN_MAKE_PLAN_H_
#define LEVELFIELD_PLAN_MAKE_PLAN_H_

#include <string>
#include <vector>

#include "plan/overhead_plan.h"
#include "plan/trial.h"
#include "result/result.h"

namespace levelfield {

struct Plan {
  std::string command;  // As typed, for the manifest.
  // At least one. Settings that do not belong to a single run, such as the number of rounds, are
  // equal in all.
  std::vector<PlannedVariant> variants;
  OverheadPlan overhead = {};  // Measures the harness's own cost, before anything else.

  std::vector<TriedSetting> tried = {};  // By an earlier pilot.
  // No further round begins that would probably end later than this. 0: any number of them.
  double most_seconds = 0;

  const PlannedVariant& first() const { return variants.front(); }
  PlannedVariant& first() { return variants.front(); }
};

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_MAKE_PLAN_H_
