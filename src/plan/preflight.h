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

// The memory that a phase on a cache needs, on the safe side.
uint64_t MemoryNeed(const CacheBenchSettings& settings);

// The free memory in a manifest's environment (result/environment.h), within the cgroup's limit.
// 2^64-1 if neither is known.
uint64_t MemoryThere(const nlohmann::ordered_json& environment);

// A usage error if it does not fit, with advice on what to reduce.
Status CheckMemory(const CacheBenchSettings& settings, uint64_t there);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PREFLIGHT_H_
