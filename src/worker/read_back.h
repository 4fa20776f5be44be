// Reads the store back behind a phase that has changed it: closes it, opens it again, and compares
// it with what it has to hold; what the page cache still owes is on the device before. The worker's
// main thread, outside of all timing.
#ifndef LEVELFIELD_WORKER_READ_BACK_H_
#define LEVELFIELD_WORKER_READ_BACK_H_

#include <string>

#include "engine/engine.h"
#include "probe/resource_probe.h"
#include "worker/known_store.h"
#include "worker/running_phase.h"
#include "workload/expected_state.h"

namespace levelfield {

// `resources` is of the phase: what its device does until all is synced counts, too. Where nothing
// can be compared the result says why.
void VerifyWhatIsKept(RunningPhase& now, KnownStore& store, const ResourceProbe& resources);

// Reads all of `opened`, or where the store was there before what this run has written, and
// compares it with `state`. `how` is said of it: "reopened and read back".
void VerifyAgainst(RunningPhase& now, KnownStore& store, Store& opened, const ExpectedState& state,
                   const std::string& how);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_READ_BACK_H_
