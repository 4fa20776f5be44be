// The row of a run in the results: what is known before it begins, what its end adds, and the rows
// of the phases that it never reached. Pure; any thread.
#ifndef LEVELFIELD_DRIVER_RUN_ROW_H_
#define LEVELFIELD_DRIVER_RUN_ROW_H_

#include <vector>

#include "driver/supervisor.h"
#include "plan/messages.h"
#include "plan/trial.h"
#include "result/result.h"

namespace levelfield {

// Before it begins.
RunResult RowOf(const Trial& trial);

// Adds the facts in the marker of an existing store.
void AddStoreNotes(const ProbeReply& engine, const StoreOrigin& origin, RunResult& row);

// Fills in how the worker ended. `worst` is the worst outcome of its phases.
void Conclude(const RunEnd& end, const std::vector<PlannedPhase>& phases, Outcome worst,
              RunResult& row);

// A phase that the worker did not end. The first of them was running, and later ones were never
// reached.
PhaseResult MissingPhase(const PlannedPhase& planned, const RunResult& row, bool is_first);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_ROW_H_
