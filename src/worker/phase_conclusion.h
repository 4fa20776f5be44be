// Concludes a phase once its operations are over: whether they came to their end, whether the
// answers were right, what the store should hold now and whether it does, and whether the numbers
// mean anything. The worker's main thread, outside of all timing.
#ifndef LEVELFIELD_WORKER_PHASE_CONCLUSION_H_
#define LEVELFIELD_WORKER_PHASE_CONCLUSION_H_

#include <string>

#include "engine/engine.h"
#include "worker/phase.h"
#include "worker/running_phase.h"
#include "workload/expected_state.h"

namespace levelfield {

// Fills in the outcome of the phase, which ran in that context, and completes a fill that was cut
// (rest_of_fill.h). Its result has the roles' summaries already.
void ConcludePhase(RunningPhase& now, const PhaseContext& context, PhaseRun& run);

// Reads the store back after a phase that has changed it: puts what the page cache still owes on
// the device, closes the store, opens it again, and compares it with the expected contents. If
// nothing can be compared, the result says why.
void VerifyWhatIsKept(RunningPhase& now);
// Compares all of `opened` with `state` or, if the store existed before, what this run has written.
// `how` describes it: "reopened and read back".
void VerifyAgainst(RunningPhase& now, Store& opened, const ExpectedState& state,
                   const std::string& how);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_PHASE_CONCLUSION_H_
