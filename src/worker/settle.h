// Settles what a writing phase has left to the engine's background, before anything else begins:
// the engine is asked to flush, then to wait for its own threads; of one that cannot be asked, but
// has threads, it is watched until they rest. What reads after it then finds a defined state, and
// what the writes really cost is known.
//
// Called by the worker's main thread, while the store is open and no session works.
#ifndef LEVELFIELD_WORKER_SETTLE_H_
#define LEVELFIELD_WORKER_SETTLE_H_

#include <cstdint>
#include <functional>

#include "base/status.h"
#include "engine/engine.h"
#include "result/result.h"
#include "worker/running_phase.h"

namespace levelfield {

// The process rests when for a window long its other threads have used less than a hundredth of the
// processor, and it has written less than a hundredth of the bytes, that the phase did in such a
// time (of one processor, and of 4 MiB/s, at least), and none of them runs or waits for the disk at
// its end. The window itself is no part of what settling took.
struct SettleRule {
  double window_seconds = 0.1;
  double most_seconds = 60;  // Or ten times the phase, if that is longer; then it is given up.
};

// What it did meanwhile; an engine's call that fails is an error of the engine. `go_on` is told the
// milliseconds that have passed, of those that may, and ends it by false.
StatusOr<Settle> SettleStore(Store& store, const PhaseResult& phase, const SettleRule& rule,
                             const std::function<bool(uint64_t ms, uint64_t of)>& go_on);

// What a phase that writes has left to the engine's background is worked off, and its result says
// what that took; nothing is settled with --carry_debt. Whether the phase can go on.
bool SettlePhase(RunningPhase& now);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_SETTLE_H_
