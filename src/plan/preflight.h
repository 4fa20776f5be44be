// The disk space, memory and open files that a run needs, so that one without enough of them is
// refused before anything is created. Pure; any thread.
#ifndef LEVELFIELD_PLAN_PREFLIGHT_H_
#define LEVELFIELD_PLAN_PREFLIGHT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/plan.h"
#include "settings/dialects/cache_bench.h"
#include "settings/settings.h"

namespace levelfield {

// For an engine that declares none.
inline constexpr double kWorstSpaceFactor = 5;

// What the plug-in declares as the most disk that a byte of keys and values takes: its fact
// "space_factor", which says how that was measured.
double SpaceFactorOf(const EngineDescription& engine);

// Disk that a store of these settings may take with an engine of this factor.
uint64_t NeededDiskBytes(const Settings& settings, const std::vector<PlannedPhase>& phases = {},
                         double space_factor = kWorstSpaceFactor);

// Files that the process of the engine may have open at once: as many tables as it keeps open
// (`max_open_files`) and as a store of so many bytes of disk can have, and those that each thread
// opens for itself (its fact "files_per_session").
uint64_t NeededDescriptors(const ProbeReply& engine, const std::vector<PlannedPhase>& phases,
                           uint64_t store_bytes);

// kUsage where `limit`, the process's (ulimit -n), is less.
Status CheckDescriptors(const ProbeReply& engine, uint64_t needed, uint64_t limit);

// Memory that the harness itself takes for the values of these phases.
uint64_t NeededMemoryBytes(const std::vector<PlannedPhase>& phases);

// kUsage where the phases' values do not fit into `available_bytes`.
Status CheckMemory(const std::vector<PlannedPhase>& phases, uint64_t available_bytes);

// With --memory, gives the engines a cache of a quarter of it and a write buffer of a sixteenth (64
// MiB at the most) where those are not given, the same for all. Refuses what is given where both
// together are more than half of the limit: it also holds the page cache of what the engine reads
// and writes. Without room for that the kernel evicts the pages of the program itself and reads
// them again and again: LevelDB with --cache_size=64M under --memory=64M read 394 GB in ten
// minutes, and got nowhere.
Status ApplyMemoryBudget(Settings& settings);

// What a phase on a cache needs of the machine's memory, on the safe side.
uint64_t MemoryNeed(const CacheBenchSettings& settings);

// The environment of a manifest (result/environment.h): what is free, within the cgroup's limit.
// 2^64-1 where neither is known.
uint64_t MemoryThere(const nlohmann::ordered_json& environment);

// A usage error where it does not fit, with what to make smaller.
Status CheckMemory(const CacheBenchSettings& settings, uint64_t there);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PREFLIGHT_H_
