// The phase of a worker that has operations on the store as a whole (operations/store.h): runs and
// times them, and reads back what is left. The worker's main thread.
#ifndef LEVELFIELD_RUN_STORE_PHASE_H_
#define LEVELFIELD_RUN_STORE_PHASE_H_

#include "run/known_store.h"
#include "run/original_streams.h"
#include "run/resource_probe.h"
#include "run/running_phase.h"

namespace levelfield {

// On the open store.
void RunOnStore(RunningPhase& now, KnownStore& store, ResourceProbe& resources,
                OriginalStreams& streams);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_STORE_PHASE_H_
