// From words to values: which engines run which workloads with which settings. Made before anything
// is created, so every mistake is found here; `levelfield plan` prints it without running it.
#ifndef LEVELFIELD_PLAN_PLAN_H_
#define LEVELFIELD_PLAN_PLAN_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "result/result.h"
#include "settings/settings.h"
#include "workload/find_workload.h"
#include "workload/key_format.h"
#include "workload/value_source.h"
#include "workload/workload.h"

namespace levelfield {

struct PlannedPhase {
  WorkloadText source;
  Workload workload;            // The source, resolved.
  std::string durability = {};  // Its own class, else the run's.
  bool implicit = false;        // Loads the store for the next one; nobody asked for it.
  Repetition repetition = {};
  bool leads_in = false;  // It is the warm-up that --warmup asks for, before the next one.
};

// Resolves --benchmarks. Where a workload needs a loaded store and none before it loads one, a
// fillrandom is put before it, unless there is a store to be used as it is, or with --compat=exact.
// `name[X5-W1]` is that workload once to warm up and then five times, each with seeds of its own,
// and on a store of its own where it needs an empty one.
StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings);

// What the keys look like: the one place where the flags about keys are put together.
KeyShape KeyShapeOf(const Settings& settings);
// The keys of the store that the workload fills. Its file may ask for another format.
KeyShape KeyShapeOf(const Settings& settings, const Workload& workload);

// Gives integer keys their 8 bytes.
void ResolveKeys(Settings& settings);

// The directory of an engine's store: below --db, or --db itself, or else in that of the results.
std::string StorePathOf(const Settings& settings, const std::string& engine,
                        const std::string& results);

// What --engine asks for: `all` stands for every plug-in but the variants of one engine
// ("leveldb@system") and those that run only where they are named.
StatusOr<std::vector<std::string>> PlanEngines(const Settings& settings,
                                               const std::vector<std::string>& found,
                                               const std::vector<std::string>& by_name);

// One of a plan's phases from the text of its workload. An implicit one loads the store for the
// next.
StatusOr<PlannedPhase> PlanPhase(WorkloadText source, const Settings& settings, bool implicit);

// The result of a phase before anything is known of it: what its plan says.
inline PhaseResult PlannedResult(const PlannedPhase& planned) {
  PhaseResult result;
  result.workload = planned.workload.name;
  result.family = planned.workload.family;
  result.durability = planned.durability;
  result.implicit = planned.implicit;
  result.repetition = planned.repetition;
  return result;
}

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLAN_H_
