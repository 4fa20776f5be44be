// What several flags together mean for a workload. Pure; any thread.
#ifndef LEVELFIELD_WORKLOAD_WORKLOAD_SETTINGS_H_
#define LEVELFIELD_WORKLOAD_WORKLOAD_SETTINGS_H_

#include <cstdint>

#include "settings/settings.h"
#include "workload/graph_draws.h"
#include "workload/key_distribution.h"
#include "workload/key_format.h"
#include "workload/value_sizes.h"
#include "workload/workload.h"

namespace levelfield {

// The sizes of values if a role names no size of its own.
ValueSizes ValueSizesOf(const Settings& settings);

// The seed of all varying sizes. It is the run's, so that every engine and every role agree.
uint64_t ValueSizeSeed(const Settings& settings);

// The keys of a store that is filled with these settings. Only this combines the flags about keys.
KeyShape KeyShapeOf(const Settings& settings);
// The same for a workload that may say what keys it fills a store with.
KeyShape KeyShapeOf(const Settings& settings, const Workload& workload);

// The distribution from which readers draw in place of uniform keys.
KeyDistributionPlan DistributionOf(const Settings& settings);

// The mix, the keys and the sizes of mixgraph.
GraphPlan GraphPlanOf(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_WORKLOAD_SETTINGS_H_
