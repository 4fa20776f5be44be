// Carries out a plan: makes each run's store directory, starts its worker, follows what it tells,
// watches over it, and keeps the results. It links and loads no engine; whatever an engine does to
// its worker is one row here, and the other runs go on.
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
  // One at least. What is not of a single run, like how many rounds there are, is the same in all.
  std::vector<PlannedVariant> variants;
  OverheadPlan overhead = {};  // What the harness costs is measured with it, before anything else.

  std::vector<TriedSetting> tried = {};  // By a pilot, before.

  const PlannedVariant& first() const { return variants.front(); }
  PlannedVariant& first() { return variants.front(); }
};

struct DriverReport {
  Status status = Status::Ok();  // Of the driver itself: a directory, a full disk.
  std::string directory;         // Of the results; empty where it was not made.
  bool interrupted = false;
};

// Blocks until all runs are over, or the person at the keyboard has had enough. A listener says
// itself how phases ended; without one the driver does, on standard error.
DriverReport RunPlan(const Plan& plan, RunListener* listener = nullptr);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_DRIVER_H_
