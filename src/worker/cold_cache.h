// Which part of the store the page cache has when a phase begins: it is looked at, and with
// --cache=cold a workload that reads finds none of it there. The worker's main thread.
#ifndef LEVELFIELD_WORKER_COLD_CACHE_H_
#define LEVELFIELD_WORKER_COLD_CACHE_H_

#include "worker/known_store.h"
#include "worker/running_phase.h"

namespace levelfield {

// Whether --cache=cold holds for this phase.
bool IsColdBefore(const Workload& workload, const Settings& settings);

// Notes how much of the store the page cache has; before a phase that is cold, has it forget the
// store, which is closed meanwhile, with the engine's own caches. Whether the phase can go on.
bool BeginCache(RunningPhase& now, KnownStore& store);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_COLD_CACHE_H_
