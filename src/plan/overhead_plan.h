// How the harness's own cost is measured (driver/overheads.h): with which settings, workloads and
// engines. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_OVERHEAD_PLAN_H_
#define LEVELFIELD_PLAN_OVERHEAD_PLAN_H_

#include <vector>

#include "engine/engine_probe.h"
#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

struct OverheadPlan {
  Settings settings;  // The plan's, with few keys and little time.
  std::vector<PlannedPhase> phases;
  std::vector<ProbeReply> engines;  // Empty: no overhead is measured.
};

// The settings with which the overhead of a run with `settings` is measured.
Settings OverheadSettings(Settings settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_OVERHEAD_PLAN_H_
