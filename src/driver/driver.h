// Carries out a plan: makes each run's store directory, starts its worker, follows and watches it,
// and keeps the results. It links and loads no engine. Whatever an engine does to its worker is one
// row here, and the other runs go on.
#ifndef LEVELFIELD_DRIVER_DRIVER_H_
#define LEVELFIELD_DRIVER_DRIVER_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/overheads.h"
#include "driver/run_listener.h"
#include "plan/trial.h"
#include "result/result.h"

namespace levelfield {

struct Plan {
  std::string command;  // As typed, for the manifest.
  // At least one. Settings that do not belong to a single run, such as the number of rounds, are
  // equal in all.
  std::vector<PlannedVariant> variants;
  OverheadPlan overhead = {};  // Measures the harness's own cost, before anything else.

  std::vector<TriedSetting> tried = {};  // By an earlier pilot.
  // No further round begins that would probably end later than this. 0: any number of them.
  double most_seconds = 0;

  const PlannedVariant& first() const { return variants.front(); }
  PlannedVariant& first() { return variants.front(); }
};

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
