// The phase of a worker whose roles work on the open store, under the load that was asked for: a
// closed loop, one rate, or a rate after the other. The worker's main thread.
#ifndef LEVELFIELD_RUN_LOAD_PHASE_H_
#define LEVELFIELD_RUN_LOAD_PHASE_H_

#include "run/instruments.h"
#include "run/known_store.h"
#include "run/load_settings.h"
#include "run/original_streams.h"
#include "run/running_phase.h"

namespace levelfield {

// `load` is what LoadOf(settings) gave; a trace with times of its own and what only loads the store
// do not follow it.
void RunAtLoad(RunningPhase& now, KnownStore& store, Instruments& instruments,
               OriginalStreams& streams, const LoadAsked& load);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_LOAD_PHASE_H_
