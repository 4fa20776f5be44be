// The limit of --memory while a store is loaded, which nobody measures: random writes of a large
// store in little memory would take minutes. Both do nothing without a limit.
#ifndef LEVELFIELD_WORKER_MEMORY_LIMIT_H_
#define LEVELFIELD_WORKER_MEMORY_LIMIT_H_

#include "base/status.h"
#include "worker/running_phase.h"

namespace levelfield {

Status LiftMemoryLimit(WorkerState& worker);

// Closes the store before: what the loading has left in the engine's memory and in malloc's is
// nothing of the next workload's.
Status HoldMemoryLimit(WorkerState& worker);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_MEMORY_LIMIT_H_
