// Carries out a plan: makes each run's store directory, starts its worker, follows what it tells,
// watches over it, and keeps the results. It links and loads no engine; whatever an engine does to
// its worker is one row here, and the other runs go on.
#ifndef LEVELFIELD_RUN_DRIVER_H_
#define LEVELFIELD_RUN_DRIVER_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "result/result.h"
#include "run/engine_probe.h"
#include "run/existing_store.h"
#include "run/plan.h"
#include "run/price_list.h"

namespace levelfield {

// One way of setting things: what runs with it, in one round.
struct Alternative {
  Variant variant = {};  // Among several.
  Settings settings;
  std::vector<PlannedPhase> phases;
  std::vector<ProbeReply> engines;         // One run each; what cannot run carries its reason.
  std::vector<ExistingStore> stores = {};  // Those to be used as they are; empty: all are made new.
};

struct Plan {
  std::string command;  // As typed, for the manifest.
  // One at least. What is not of a single run, like how many rounds there are, is the same in all.
  std::vector<Alternative> alternatives;
  PricePlan price = {};  // What the harness costs is measured with it, before anything else.

  const Alternative& first() const { return alternatives.front(); }
  Alternative& first() { return alternatives.front(); }
};

struct DriverReport {
  Status status = Status::Ok();  // Of the driver itself: a directory, a full disk.
  std::string directory;         // Of the results; empty where it was not made.
  bool interrupted = false;
};

// Hears of a plan's progress as it happens, on the driver's thread.
class RunListener {
 public:
  virtual ~RunListener() = default;
  // The result directory is there, with its manifest.
  virtual void Began(const std::string& directory) = 0;
  virtual void PhaseEnded(const PhaseResult& result) = 0;
};

// Blocks until all runs are over, or the person at the keyboard has had enough. A listener says
// itself how phases ended; without one the driver does, on standard error.
DriverReport RunPlan(const Plan& plan, RunListener* listener = nullptr);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_DRIVER_H_
