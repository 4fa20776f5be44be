// The result of a phase before anything is known of it: what its plan says. Pure.
#ifndef LEVELFIELD_RUN_PLANNED_RESULT_H_
#define LEVELFIELD_RUN_PLANNED_RESULT_H_

#include "result/result.h"
#include "run/plan.h"

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

#endif  // LEVELFIELD_RUN_PLANNED_RESULT_H_
