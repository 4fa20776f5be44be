// A worker that is one of a fleet: where it waits for the others, and what they tell each other.
//
// A phase has four gates, at each of which a rank waits for all others:
//   1. All have ended what they did before. Rank 0 opens the store, or empties it.
//   2. Rank 0 has the store. The others join it.
//   3. All are ready, and begin at one time.
//   4. All have ended. Each tells what it wrote, so that everybody's model of the store is whole.
// The result has the times of the rank's first operation and its last, in rank 0's clock.
#ifndef LEVELFIELD_WORKER_FLEET_H_
#define LEVELFIELD_WORKER_FLEET_H_

#include <cstdint>
#include <string>

#include "worker/phase.h"
#include "worker/phase_opening.h"
#include "worker/running_phase.h"

namespace levelfield {

// Why the workload's work cannot be divided among ranks. Empty: it can, or there is no fleet.
std::string WhyUndivided(const FleetPlace& place, const Workload& workload);

// Roles that keep to a rate of their own keep to this rank's share of it.
void TakeShareOfRates(WorkerSpec& spec);

// Opens the store; in a fleet rank 0 first, and the others when it has. Returns whether the phase
// can go on.
bool OpenInTurn(RunningPhase& now, PhaseOpening& opening);

// Waits until all ranks may begin, and for that moment, at which the probes of the phase begin.
// `failure` says why this one cannot. `clock_offset_ns` becomes what is to be added to this
// process's MonotonicNs for rank 0's.
Status BeginInFleet(RunningPhase& now, const std::string& failure, int64_t& clock_offset_ns);

// Waits until all have ended. Gives `run` the writes of all ranks, for the model. Where a rank is
// missing the phase is void.
void EndInFleet(RunningPhase& now, const PhaseContext& context, int64_t clock_offset_ns,
                PhaseRun& run);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_FLEET_H_
