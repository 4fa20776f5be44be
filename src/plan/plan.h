// From words to values: which engines run which workloads with which settings. Made before anything
// is created, so every mistake is found here. `levelfield plan` prints it without running it.
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
#include "workload/workload_settings.h"

namespace levelfield {

class Known;
struct Facts;

struct PlannedPhase {
  WorkloadText source;
  Workload workload;            // The source, resolved.
  std::string durability = {};  // Its own class, otherwise the run's.
  bool implicit = false;        // Loads the store for the next phase. Nobody requested it.
  Repetition repetition = {};
  bool leads_in = false;  // The warm-up of --warmup before the next phase.
  // Which mention of its workload in the list it is, from 1 on. Its draws depend on it
  // (worker/stream_seeds.h). Repetitions and a warm-up are of the same mention.
  uint64_t mention = 1;
  // What --duration cuts off of this fill is written after the measurement, for the workload behind
  // it that this names. Empty: it stays as it is.
  std::string completed_for = {};
};

// Resolves --benchmarks. If a workload needs a loaded store and none before it loads one, a
// fillrandom is inserted, except with an existing store or with --compat=exact. `name[X5-W1]` is
// that workload once to warm up and then five times. Each has its own seeds, and its own store if
// it needs an empty one.
StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings, Known& known);
StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings, const Facts& facts);

// Gives integer keys their 8 bytes.
void ResolveKeys(Settings& settings);

// The directory of an engine's store: below --db, --db itself, or in that of the results.
std::string StorePathOf(const Settings& settings, const std::string& engine,
                        const std::string& results);

// The engines that --engine names. `all` means every plug-in except the variants of an engine
// ("leveldb@system") and those that run only when named.
StatusOr<std::vector<std::string>> PlanEngines(const Settings& settings,
                                               const std::vector<std::string>& found,
                                               const std::vector<std::string>& by_name);

// Those of an implicit phase, which loads the store for others: it writes all of it, at full speed.
Settings LoaderSettings(Settings settings);

// Plans one phase from the text of its workload. An implicit phase loads the store for the next.
StatusOr<PlannedPhase> PlanPhase(WorkloadText source, const Settings& settings, bool implicit,
                                 Known& known);

// The result of a phase before it runs, with its plan's facts.
inline PhaseResult PlannedResult(const PlannedPhase& planned) {
  PhaseResult result;
  result.workload = planned.workload.name;
  result.family = planned.workload.family;
  result.durability = planned.durability;
  result.implicit = planned.implicit;
  result.repetition = planned.repetition;
  if (const Act& act = planned.workload.act; act.of != 0) {
    result.act = ActNumber{.number = act.number, .of = act.of};
  }
  return result;
}

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLAN_H_
