// The future contents of a store of ours, once the phases of a plan have run on it, as its marker
// says before they do. Pure; any thread.
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

// How long values become where an operation makes each out of the one before it (appendrandom), so
// that buffers are large enough: the longest value that there is at any time during these phases,
// in a store whose longest was `before`. A store that existed is not emptied by those that fill
// one.
uint64_t LargestValueOf(const std::vector<PlannedPhase>& phases, bool store_existed = false,
                        uint64_t before = 0);

// Whether that growth has a bound that the harness can carry: a number of operations, not a time,
// and at most 1 GiB a value, which is also a value's largest --value_size. Refuses before it begins
// a run that no engine could end.
Status CheckGrowth(const std::vector<PlannedPhase>& phases, const Settings& settings);

// For a store that is made for that turn.
StoreContent PlannedContent(const Trial& trial);

// Adds the sizes of the values that the phases are about to write; a store that was opened again is
// not filled anew.
void AddValueSizes(const std::vector<PlannedPhase>& phases, StoreContent& content);

// Lowers its class to the weakest one in which a phase is about to write to it. What was not known
// of a store that was opened again stays unknown.
void AddDurability(const Trial& trial, StoreContent& content);

// What a worker has to know of a store that was opened again.
StoreOrigin OriginOf(const StoreContent& content);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLANNED_CONTENT_H_
