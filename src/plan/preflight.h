// What a run needs of the disk, the memory and the open files, so that one that has no room for it
// is refused before anything is created. Pure; any thread.
#ifndef LEVELFIELD_PLAN_PREFLIGHT_H_
#define LEVELFIELD_PLAN_PREFLIGHT_H_

#include <cstdint>
#include <string>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/plan.h"

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

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PREFLIGHT_H_
