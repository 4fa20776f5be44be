// From --trace and its companions to what a role replays. A trace that cannot be replayed so is
// found here, before anything runs.
#ifndef LEVELFIELD_PLAN_TRACE_SETTINGS_H_
#define LEVELFIELD_PLAN_TRACE_SETTINGS_H_

#include "base/status.h"
#include "settings/settings.h"
#include "workload/workload.h"

namespace levelfield {

// Fills in the role's keys, operations and sizes, for which the trace is read once. Does nothing
// for workloads without a trace.
Status ResolveTrace(Workload& workload, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_TRACE_SETTINGS_H_
