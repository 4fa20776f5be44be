// The harness's own cost: the plan's workloads on engines that do nothing or next to nothing (null,
// memory), in an ordinary worker process, with few keys. Measured in every invocation, because it
// differs between machines, settings and days. Reports print it, and mark figures close to it.
#ifndef LEVELFIELD_DRIVER_OVERHEADS_H_
#define LEVELFIELD_DRIVER_OVERHEADS_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "plan/overhead_plan.h"
#include "result/result.h"

namespace levelfield {

// One for each engine that did not fail. `interrupted` is set if the user interrupts.
StatusOr<std::vector<Overhead>> MeasureOverheads(const OverheadPlan& plan,
                                                 const std::string& results_directory,
                                                 bool& interrupted);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_OVERHEADS_H_
