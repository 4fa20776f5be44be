// The phase of a worker whose roles work on the open store, under the load that was asked for: a
// closed loop, one rate, or a rate after the other. The worker's main thread.
#ifndef LEVELFIELD_WORKER_LOAD_PHASE_H_
#define LEVELFIELD_WORKER_LOAD_PHASE_H_

#include "loop/original_streams.h"
#include "plan/load_settings.h"
#include "worker/instruments.h"
#include "worker/known_store.h"
#include "worker/running_phase.h"

namespace levelfield {

// `load` is what LoadOf(settings) gave; a trace with times of its own and what only loads the store
// do not follow it.
void RunAtLoad(RunningPhase& now, KnownStore& store, Instruments& instruments,
               OriginalStreams& streams, const LoadAsked& load);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_LOAD_PHASE_H_
