// The phase of a worker that backs its store up, or restores one from the last backup, and reads
// back what came of it. The worker's main thread.
#ifndef LEVELFIELD_WORKER_COPY_PHASE_H_
#define LEVELFIELD_WORKER_COPY_PHASE_H_

#include "loop/original_streams.h"
#include "probe/resource_probe.h"
#include "worker/backups.h"
#include "worker/known_store.h"
#include "worker/running_phase.h"

namespace levelfield {

// On the open store; the phase's first role says which of the two, and how often.
void RunCopies(RunningPhase& now, KnownStore& store, Backups& backups,
               const ResourceProbe& resources, OriginalStreams& streams);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_COPY_PHASE_H_
