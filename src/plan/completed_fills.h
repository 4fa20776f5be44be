// Which fills that --duration may cut are completed outside of the timing: those whose store a later
// workload works on, so that each engine's has the same entries. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_COMPLETED_FILLS_H_
#define LEVELFIELD_PLAN_COMPLETED_FILLS_H_

#include <vector>

#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

// Whether the role's stop is a number of operations, and it can go on where it was cut.
bool FillsByCount(const Role& role);

// Sets PlannedPhase::completed_for in the phases of a list. The original programs leave the store as
// it is, and so does who speaks for one.
void PlanCompletedFills(const Settings& settings, std::vector<PlannedPhase>& phases);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_COMPLETED_FILLS_H_
