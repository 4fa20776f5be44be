// Carries out a plan: makes each run's store directory, starts its worker, follows and watches it,
// and keeps the results. It links and loads no engine. Whatever an engine does to its worker is one
// row here, and the other runs go on.
#ifndef LEVELFIELD_DRIVER_DRIVER_H_
#define LEVELFIELD_DRIVER_DRIVER_H_

#include <string>

#include "base/status.h"
#include "driver/run_listener.h"
#include "plan/make_plan.h"

namespace levelfield {

struct DriverReport {
  Status status = Status::Ok();  // The driver's own failures: a directory, a full disk.
  std::string directory;         // The results' directory. Empty if it was not made.
  bool interrupted = false;
};

// Blocks until all runs are over, or the user interrupts. A listener reports the ends of phases
// itself. Without one the driver does, on standard error.
DriverReport RunPlan(const Plan& plan, RunListener* listener = nullptr);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_DRIVER_H_
