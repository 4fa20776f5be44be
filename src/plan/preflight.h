// What can be known to go wrong before anything is created: directories that are somebody else's,
// and runs that the disk, its inodes, the memory or the limit of open files have no room for.
// Changes nothing.
#ifndef LEVELFIELD_PLAN_PREFLIGHT_H_
#define LEVELFIELD_PLAN_PREFLIGHT_H_

#include <cstdint>
#include <string>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/plan.h"

namespace levelfield {

// Of an engine that declares none.
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
uint64_t DescriptorLimit();

// Memory that the harness itself takes for the values of these phases.
uint64_t NeededMemoryBytes(const std::vector<PlannedPhase>& phases);

// kUsage where none of the engines could have a new store where --db says; `plugins` are all that
// there are, to say whose the directory is.
Status CheckStorePaths(const Settings& settings, const std::vector<std::string>& engines,
                       const std::vector<std::string>& plugins);

// kUsage where the phases' values do not fit into `available_bytes`.
Status CheckMemory(const std::vector<PlannedPhase>& phases, uint64_t available_bytes);

// What the machine can give without swapping; the greatest number where it does not say.
uint64_t AvailableMemoryBytes();

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PREFLIGHT_H_
