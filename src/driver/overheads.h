// The harness's own cost: the plan's workloads on engines that do nothing or next to nothing (null,
// memory), in an ordinary worker process, with few keys. Measured in every invocation, because it
// differs between machines, settings and days. Reports print it, and mark figures close to it.
#ifndef LEVELFIELD_DRIVER_OVERHEADS_H_
#define LEVELFIELD_DRIVER_OVERHEADS_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "driver/progress_view.h"
#include "engine/engine_probe.h"
#include "plan/plan.h"
#include "result/result.h"

namespace levelfield {

struct OverheadPlan {
  Settings settings;  // The plan's, with few keys and little time.
  std::vector<PlannedPhase> phases;
  std::vector<ProbeReply> engines;  // Empty: no overhead is measured.
};

// The settings with which the overhead of a run with `settings` is measured.
Settings OverheadSettings(Settings settings);

// One for each engine that did not fail. `interrupted` is set if the user interrupts.
StatusOr<std::vector<Overhead>> MeasureOverheads(const OverheadPlan& plan,
                                                 const std::string& results_directory,
                                                 bool& interrupted);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_OVERHEADS_H_
