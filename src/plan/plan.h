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
#include "workload/workload_variables.h"

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

WorkloadVariables VariablesOf(const Settings& settings);

// What the keys look like: the one place where the flags about keys are put together. ResolveKeys
// has accepted them.
KeyShape KeyShapeOf(const Settings& settings);
// Of the store that the workload fills; its file may ask for another format than the settings do.
KeyShape KeyShapeOf(const Settings& settings, const Workload& workload);

// Checks the flags about keys against each other, and gives integers their 8 bytes.
Status ResolveKeys(Settings& settings);

// The directory of an engine's store: below --db, or --db itself, or else in that of the results.
std::string StorePathOf(const Settings& settings, const std::string& engine,
                        const std::string& results);

// What --engine asks for: `all` stands for every plug-in but the variants of one engine
// ("leveldb@system") and those that run only where they are named.
StatusOr<std::vector<std::string>> PlanEngines(const Settings& settings,
                                               const std::vector<std::string>& found,
                                               const std::vector<std::string>& by_name);

// What is in the store before the worker starts.
struct StoreOrigin {
  bool exists = false;         // It was made before this run, and nothing in it is destroyed.
  bool knows_values = false;   // All its values are of this salt, and name their version.
  uint64_t largest_value = 0;  // Of those.
  ValueFormat value_format = ValueFormat::kDistinct;
  uint32_t first_version = 1;   // That nobody has written to it yet.
  uint64_t entries = 0;         // StoreContent's.
  bool read_only = false;       // The engine opens it without changing a byte.
  std::string kept = {};        // Why nothing is written to it; empty: it may be.
  std::string durability = {};  // StoreContent's.
  bool cut_off = false;         // StoreContent's.
};

// Everything that a worker needs, and its text form for the pipe.
struct WorkerSpec {
  std::string engine;           // The spec.
  SettingList engine_settings;  // Canonical; durability and hints come from the phases.
  Settings settings;
  std::vector<PlannedPhase> phases = {};
  std::string directory;               // Of the database; exists.
  std::string results_directory = {};  // For files that belong to the results; exists.
  uint64_t salt = 0;
  StoreOrigin origin = {};
  // Of a dummy argument of the worker, so that its stack begins elsewhere each time: where it
  // begins alone can be worth more than what is compared (Mytkowicz et al., ASPLOS 2009).
  uint64_t padding_bytes = 0;
  bool audits = false;  // It looks at commits (worker/audit.h), and runs no phase.
};

std::string ToText(const WorkerSpec& spec);
StatusOr<WorkerSpec> WorkerSpecFromText(const std::string& text);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLAN_H_
