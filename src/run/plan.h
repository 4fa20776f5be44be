// From words to values: which engines run which workloads with which settings. Made before anything
// is created, so every mistake is found here; `levelfield plan` prints it without running it.
#ifndef LEVELFIELD_RUN_PLAN_H_
#define LEVELFIELD_RUN_PLAN_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "settings/settings.h"
#include "workload/workload_file.h"

namespace levelfield {

struct PlannedPhase {
  WorkloadText source;
  Workload workload;            // The source, resolved.
  std::string durability = {};  // Its own class, else the run's.
  bool implicit = false;        // Loads the store for the next one; nobody asked for it.
};

// Resolves --benchmarks. Where a workload needs a loaded store and none before it loads one, a
// fillrandom is put before it, but not with --compat=exact (compat.h).
StatusOr<std::vector<PlannedPhase>> PlanPhases(const Settings& settings);

WorkloadVariables VariablesOf(const Settings& settings);

// What --engine asks for: `all` stands for every plug-in but the variants of one engine
// ("leveldb@system"), real engines before floors as `floors` names them.
StatusOr<std::vector<std::string>> PlanEngines(const Settings& settings,
                                               const std::vector<std::string>& found);

// Everything that a worker needs, and its text form for the pipe.
struct WorkerSpec {
  std::string engine;           // The spec.
  SettingList engine_settings;  // Canonical; durability and hints come from the phases.
  Settings settings;
  std::vector<PlannedPhase> phases = {};
  std::string directory;  // Of the database; exists.
  uint64_t salt = 0;
};

std::string ToText(const WorkerSpec& spec);
StatusOr<WorkerSpec> WorkerSpecFromText(const std::string& text);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_PLAN_H_
