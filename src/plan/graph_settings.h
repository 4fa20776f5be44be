// What mixgraph's flags say together. Pure; any thread.
#ifndef LEVELFIELD_PLAN_GRAPH_SETTINGS_H_
#define LEVELFIELD_PLAN_GRAPH_SETTINGS_H_

#include "base/status.h"
#include "settings/settings.h"
#include "workload/graph_draws.h"

namespace levelfield {

// Whether they can be drawn from.
Status CheckGraph(const Settings& settings);

GraphPlan GraphPlanOf(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_GRAPH_SETTINGS_H_
