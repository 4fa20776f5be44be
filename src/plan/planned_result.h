// The result of a phase before anything is known of it: what its plan says. Pure.
#ifndef LEVELFIELD_PLAN_PLANNED_RESULT_H_
#define LEVELFIELD_PLAN_PLANNED_RESULT_H_

#include "plan/plan.h"
#include "result/result.h"

namespace levelfield {

inline PhaseResult PlannedResult(const PlannedPhase& planned) {
  PhaseResult result;
  result.workload = planned.workload.name;
  result.family = planned.workload.family;
  result.durability = planned.durability;
  result.implicit = planned.implicit;
  result.repetition = planned.repetition;
  return result;
}

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLANNED_RESULT_H_
