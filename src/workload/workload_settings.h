// What several flags together mean for a workload. Pure; any thread.
#ifndef LEVELFIELD_WORKLOAD_WORKLOAD_SETTINGS_H_
#define LEVELFIELD_WORKLOAD_WORKLOAD_SETTINGS_H_

#include <cstdint>

#include "settings/settings.h"
#include "workload/graph_draws.h"
#include "workload/key_distribution.h"
#include "workload/value_sizes.h"

namespace levelfield {

// The sizes of values if a role names no size of its own.
ValueSizes ValueSizesOf(const Settings& settings);

// The seed of all varying sizes. It is the run's, so that every engine and every role agree.
uint64_t ValueSizeSeed(const Settings& settings);

// Bytes of a key, for a rate in bytes.
uint64_t KeyBytesOf(const Settings& settings);

// The distribution from which readers draw in place of uniform keys.
KeyDistributionPlan DistributionOf(const Settings& settings);

// The mix, the keys and the sizes of mixgraph.
GraphPlan GraphPlanOf(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_WORKLOAD_SETTINGS_H_
