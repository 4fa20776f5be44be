// Settles what a writing phase left to the engine's background, before anything else begins. The
// engine is asked to flush, then to wait for its own threads. If an engine with threads cannot be
// asked, this watches them until they rest. Reads then find a defined state, and the real cost of
// the writes is known.
//
// The worker's main thread calls it, while the store is open and no session works.
#ifndef LEVELFIELD_WORKER_SETTLE_H_
#define LEVELFIELD_WORKER_SETTLE_H_

#include <cstdint>
#include <functional>

#include "base/status.h"
#include "engine/engine.h"
#include "result/result.h"
#include "worker/running_phase.h"

namespace levelfield {

// The process rests when, for a window, its other threads have used less than a hundredth of the
// processor time, and written less than a hundredth of the bytes, that the phase did in such a time
// (the phase counts as at least one processor and 4 MiB/s), and none of them runs or waits for the
// disk at the end. The window itself does not count as settling.
struct SettleRule {
  double window_seconds = 0.1;
  // Of watching, or ten times the phase, if that is longer; then gives up. The engine's own calls
  // have no limit but --stall.
  double most_seconds = 60;
};

// Returns what the engine did meanwhile; a failing engine call is an error of the engine. `go_on`
// gets the milliseconds passed and the limit, and returns false to stop.
StatusOr<Settle> SettleStore(Store& store, const PhaseResult& phase, const SettleRule& rule,
                             const std::function<bool(uint64_t ms, uint64_t of)>& go_on);

// Works off what a writing phase left to the engine's background, and notes in its result what that
// took. With --carry_debt it does nothing. Returns whether the phase can go on.
bool SettlePhase(RunningPhase& now);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_SETTLE_H_
