// Flags of the load that were typed and change nothing in the workloads of a run: --ycsb_requests
// where none of them is YCSB's. A result would list such a value among its settings, as if the
// figures depended on it. Pure.
#ifndef LEVELFIELD_PLAN_UNUSED_FLAGS_H_
#define LEVELFIELD_PLAN_UNUSED_FLAGS_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

// An error that names the first such flag, and workloads that it is for. `load` is how the user
// named those of the run: "--benchmarks=readrandom".
Status CheckFlagsAreUsed(const Settings& settings, const std::vector<PlannedPhase>& phases,
                         const std::string& load);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_UNUSED_FLAGS_H_
