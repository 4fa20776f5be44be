// The phase of a worker that has operations on the store as a whole: runs and times them, and reads
// back what is left. The worker's main thread.
#ifndef LEVELFIELD_WORKER_STORE_PHASE_H_
#define LEVELFIELD_WORKER_STORE_PHASE_H_

#include "loop/original_streams.h"
#include "probe/resource_probe.h"
#include "worker/known_store.h"
#include "worker/running_phase.h"

namespace levelfield {

// On the open store.
void RunOnStore(RunningPhase& now, KnownStore& store, ResourceProbe& resources,
                OriginalStreams& streams);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_STORE_PHASE_H_
