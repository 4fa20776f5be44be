// The debt of a phase that writes: what it has left to the engine's background, worked off before
// anything else begins, and what that took (settle.h says when it is). The worker's main thread,
// just behind the last operation.
#ifndef LEVELFIELD_WORKER_DEBT_H_
#define LEVELFIELD_WORKER_DEBT_H_

#include "probe/resource_probe.h"
#include "worker/running_phase.h"
#include "worker/store_host.h"

namespace levelfield {

// Fills in what settling took; nothing is settled with --carry_debt. Whether the phase can go on.
// `resources` is for this alone.
bool SettleDebt(RunningPhase& now, StoreHost& host, ResourceProbe& resources);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_DEBT_H_
