// A worker's phase with operations on the store as a whole: runs and times them, or asks for a
// text, and reads back what is left. The worker's main thread, while no session works.
#ifndef LEVELFIELD_WORKER_STORE_PHASE_H_
#define LEVELFIELD_WORKER_STORE_PHASE_H_

#include "worker/running_phase.h"

namespace levelfield {

// On the open store. The phase's first role says what to do, and how often.
void RunOnStore(RunningPhase& now);

// The property that --phase_property names, after a successful phase. Called before the store is
// closed for its verification, which would reset its counts.
void NoteProperty(RunningPhase& now);
// The sizes of the store's files, if the engine tells them apart.
void NoteSizes(RunningPhase& now);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_STORE_PHASE_H_
