// The disk space, memory and open files that a run needs, so that a run without them is refused
// before anything is created. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_PREFLIGHT_H_
#define LEVELFIELD_PLAN_PREFLIGHT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/plan.h"
#include "settings/dialects/cache_bench.h"
#include "settings/settings.h"

namespace levelfield {

// For an engine that declares no factor.
inline constexpr double kWorstSpaceFactor = 5;

// The plug-in's upper bound of disk bytes per byte of keys and values: its fact "space_factor",
// which says how that was measured.
double SpaceFactorOf(const EngineDescription& engine);

// The disk that a store with these settings may take if its engine has this factor: as many entries
// as the phases put at most, by their operations (--num, --writes) or by the time that they have
// (--duration). Without phases, --num of them.
uint64_t NeededDiskBytes(const Settings& settings, const std::vector<PlannedPhase>& phases = {},
                         double space_factor = kWorstSpaceFactor);

// For a run that is refused because its stores may not fit.
inline constexpr std::string_view kWayOutOfTooLittleSpace =
    "put the stores elsewhere (--db=<directory>), use fewer or smaller entries (--num, --writes, "
    "--value_size), or begin all the same: --space_guard=stop ends a workload before the disk is "
    "full, and --space_guard=off does not look";

// Files that the engine's process may have open at once: the tables that it keeps open
// (`max_open_files`, limited by the store's size), and those that each thread opens (its fact
// "files_per_session").
uint64_t NeededDescriptors(const ProbeReply& engine, const std::vector<PlannedPhase>& phases,
                           uint64_t store_bytes);

// kUsage if `limit` (ulimit -n) is smaller.
Status CheckDescriptors(const ProbeReply& engine, uint64_t needed, uint64_t limit);

// The harness's own memory for the values of these phases.
uint64_t NeededMemoryBytes(const std::vector<PlannedPhase>& phases);

// kUsage if the phases' values do not fit into `available_bytes`.
Status CheckMemory(const std::vector<PlannedPhase>& phases, uint64_t available_bytes);

// What the harness takes in a worker's process: its model of the store, 8 bytes a key, and for each
// thread its stack and histograms.
struct HarnessMemory {
  uint64_t process_bytes = 0;
  uint64_t model_bytes = 0;
  uint64_t thread_bytes = 0;
  uint64_t threads = 0;  // The most at a time.

  uint64_t Sum() const { return process_bytes + model_bytes + thread_bytes; }
};
HarnessMemory HarnessMemoryOf(const Settings& settings, const std::vector<PlannedPhase>& phases);

// kUsage if --memory is less than the engine needs, with what would do: by its fact "memory", what
// the harness takes, and the engine's cache and write buffers. Ok if the engine does not say.
Status CheckMemoryLimit(const ProbeReply& engine, const Settings& settings,
                        const std::vector<PlannedPhase>& phases);

// With --memory, gives all engines the same cache of a quarter of it and the same write buffer of a
// sixteenth (at most 64 MiB), unless they are given, and less where threads and keys leave less.
// Refuses given ones that together exceed half of the limit, because the limit includes the page
// cache for the engine's files. Without room for that, the kernel evicts the program's own pages
// and reads them again and again. LevelDB with --cache_size=64M under --memory=64M read 394 GB in
// ten minutes without progress.
Status ApplyMemoryBudget(Settings& settings);

// The memory that a phase on a cache needs, on the safe side.
uint64_t MemoryNeed(const CacheBenchSettings& settings);

// The free memory in a manifest's environment (result/environment.h), within the cgroup's limit.
// 2^64-1 if neither is known.
uint64_t MemoryThere(const nlohmann::ordered_json& environment);

// A usage error if it does not fit, with advice on what to reduce.
Status CheckMemory(const CacheBenchSettings& settings, uint64_t there);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PREFLIGHT_H_
