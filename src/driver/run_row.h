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

// Adds what the marker of a store that was there before says of it.
void AddStoreNotes(const ProbeReply& engine, const StoreOrigin& origin, RunResult& row);

// Fills in what became of the worker. `worst` is the outcome of the run by its phases.
void Conclude(const RunEnd& end, const std::vector<PlannedPhase>& phases, Outcome worst,
              RunResult& row);

// A phase that the worker did not end: the first of them is the one it was in, and those after it
// were never reached.
PhaseResult MissingPhase(const PlannedPhase& planned, const RunResult& row, bool is_first);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_ROW_H_
