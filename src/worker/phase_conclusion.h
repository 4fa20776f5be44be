// What is concluded from the operations of a phase, once they are over: whether they came to their
// end, whether the answers were right, what the store has to hold now and whether it does, and
// whether the numbers mean anything. The worker's main thread, outside of all timing.
#ifndef LEVELFIELD_WORKER_PHASE_CONCLUSION_H_
#define LEVELFIELD_WORKER_PHASE_CONCLUSION_H_

#include <string>

#include "engine/engine.h"
#include "worker/phase.h"
#include "worker/running_phase.h"
#include "workload/expected_state.h"

namespace levelfield {

// Fills in the outcome of the phase, whose result has its roles summarized.
void ConcludePhase(RunningPhase& now, const PhaseRun& run);

// Voids a phase during which the time-stamp counter ran away from the clock that it stands for.
void VoidIfClockDrifted(PhaseResult& result);

// Reads the store back behind a phase that has changed it: closes it, opens it again, and compares
// it with what it has to hold. Before that what the page cache still owes is put on the device.
// Where nothing can be compared the result says why.
void VerifyWhatIsKept(RunningPhase& now);
// Reads all of `opened`, or where the store was there before what this run has written, and
// compares it with `state`. `how` is said of it: "reopened and read back".
void VerifyAgainst(RunningPhase& now, Store& opened, const ExpectedState& state,
                   const std::string& how);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_PHASE_CONCLUSION_H_
