// What a phase cannot surpass on this machine, looked at just before it: how fast bytes are copied,
// where it writes what the store lies on, and, where each commit is to be flushed, how long a sync
// takes there. The worker's main thread.
#ifndef LEVELFIELD_WORKER_CEILING_PROBE_H_
#define LEVELFIELD_WORKER_CEILING_PROBE_H_

#include "worker/running_phase.h"

namespace levelfield {

// Fills in the result's ceilings and medium. Whether the phase can go on: its class may be one that
// cannot be had here at all. `copy_bytes_per_second` is what MeasureCopies() gave.
bool ProbeCeilings(RunningPhase& now, double copy_bytes_per_second);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CEILING_PROBE_H_
