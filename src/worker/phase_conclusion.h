// What is concluded from the operations of a phase, once they are over: whether they came to their
// end, whether the answers were right, what the store has to hold now and whether it does, and
// whether the numbers mean anything. The worker's main thread.
#ifndef LEVELFIELD_WORKER_PHASE_CONCLUSION_H_
#define LEVELFIELD_WORKER_PHASE_CONCLUSION_H_

#include "loop/original_streams.h"
#include "probe/resource_probe.h"
#include "worker/known_store.h"
#include "worker/phase.h"
#include "worker/running_phase.h"
#include "worker/transactions.h"

namespace levelfield {

// Fills in the outcome of the phase, whose result has its roles summarized. `counters` are what the
// phase's transactions began with, if it has any; `resources` those of its measured time.
void ConcludePhase(RunningPhase& now, KnownStore& store, const PhaseRun& run,
                   const Counters32& counters, const ResourceProbe& resources,
                   OriginalStreams& streams);

// Voids a phase during which the time-stamp counter ran away from the clock that it stands for.
void VoidIfClockDrifted(PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_PHASE_CONCLUSION_H_
