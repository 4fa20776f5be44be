// Operations that choose their keys by what they did before: what of a task their choices follow
// from, and what they have done to the store, for the model of it. Worker's main thread and, for
// the plans, the thread that runs the task.
#ifndef LEVELFIELD_WORKER_HISTORY_LAYERS_H_
#define LEVELFIELD_WORKER_HISTORY_LAYERS_H_

#include <string>

#include "result/result.h"
#include "worker/phase.h"
#include "workload/slots.h"
#include "workload/triples.h"

namespace levelfield {

TriplePlan TriplePlanOf(const ThreadTask& task);
SlotPlan SlotPlanOf(const ThreadTask& task);

// Of a role that chooses its keys.
WriteLayer HistoryLayerOf(const Role& role, const RoleRun& run, const PhaseRun& phase);

// What such a role's answers were checked against, into `result`; what was wrong with them, or
// nothing.
std::string JudgeHistory(const Role& role, const RoleRun& run, PhaseResult& result,
                         const RoleResult& summary);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_HISTORY_LAYERS_H_
