// The future contents of a store of ours after the phases of a plan, for its marker before they
// run. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_PLANNED_CONTENT_H_
#define LEVELFIELD_PLAN_PLANNED_CONTENT_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "plan/trial.h"
#include "store/store_marker.h"

namespace levelfield {

// The length of the longest value at any time during these phases, for the size of buffers, in a
// store whose longest was `before`. Some operations extend values (appendrandom). In a store that
// existed, phases that need an empty one are skipped.
uint64_t LargestValueOf(const std::vector<PlannedPhase>& phases, bool store_existed = false,
                        uint64_t before = 0);

// Whether that growth has a bound that the harness can handle: a number of operations, not a time,
// and at most 1 GiB a value, which is also the limit of --value_size. Refuses a run that no engine
// could finish, before it begins.
Status CheckGrowth(const std::vector<PlannedPhase>& phases, const Settings& settings);

// For a store that is made for the trial.
StoreContent PlannedContent(const Trial& trial);

// Adds the sizes of the values that the phases will write. A reopened store is not filled anew.
void AddValueSizes(const std::vector<PlannedPhase>& phases, StoreContent& content);

// Lowers its class to the weakest one in which a phase will write to it. An unknown class of a
// reopened store stays unknown.
void AddDurability(const Trial& trial, StoreContent& content);

// A worker's facts about a reopened store.
StoreOrigin OriginOf(const StoreContent& content);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLANNED_CONTENT_H_
