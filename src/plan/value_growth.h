// How long values become where an operation makes each out of the one before it (appendrandom):
// worked out from the plan, so that buffers are large enough and a run that no engine could end is
// refused before it begins.
#ifndef LEVELFIELD_PLAN_VALUE_GROWTH_H_
#define LEVELFIELD_PLAN_VALUE_GROWTH_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "plan/plan.h"

namespace levelfield {

// The longest value that there is at any time during these phases, in a store whose longest was
// `before`. A store that existed is not emptied by those that fill one.
uint64_t LargestValueOf(const std::vector<PlannedPhase>& phases, bool store_existed = false,
                        uint64_t before = 0);

// Whether the growth has a bound that the harness can carry: a number of operations, not a time,
// and at most 1 GiB a value, which is also a value's largest --value_size.
Status CheckGrowth(const std::vector<PlannedPhase>& phases, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_VALUE_GROWTH_H_
