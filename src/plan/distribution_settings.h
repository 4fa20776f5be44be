// What the flags about which keys are asked for how often say together. Pure; any thread.
#ifndef LEVELFIELD_PLAN_DISTRIBUTION_SETTINGS_H_
#define LEVELFIELD_PLAN_DISTRIBUTION_SETTINGS_H_

#include "base/status.h"
#include "settings/settings.h"
#include "workload/key_distribution.h"

namespace levelfield {

// Whether they go together; the others may be asked only where they do.
Status CheckDistributions(const Settings& settings);

KeyDistributionPlan DistributionOf(const Settings& settings);
KeyDistributionPlan::Kind YcsbRequestsOf(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_DISTRIBUTION_SETTINGS_H_
