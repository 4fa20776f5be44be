// Completes a fill that --duration cut, outside of the timing, so that the workloads behind it find
// the same store in every engine. Only the worker's main thread uses it.
#ifndef LEVELFIELD_WORKER_REST_OF_FILL_H_
#define LEVELFIELD_WORKER_REST_OF_FILL_H_

#include "worker/phase.h"
#include "worker/running_phase.h"

namespace levelfield {

// Whether there is a rest that somebody waits for (PlannedPhase::completed_for).
bool HasRest(RunningPhase& now, const PhaseRun& run);

// Writes it at full speed, as the fill would have gone on, without a limit of memory, and lets it
// settle. `measured` is the context that the phase was run in. Adds the operations to those in
// `run`, so that it tells what the whole fill wrote. If an engine cannot, the phase's result says
// so.
void WriteRest(RunningPhase& now, const PhaseContext& measured, PhaseRun& run);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_REST_OF_FILL_H_
