// What can be known to go wrong before anything is created: directories that are somebody else's,
// and runs that neither the disk nor the memory has room for. Changes nothing.
#ifndef LEVELFIELD_RUN_PREFLIGHT_H_
#define LEVELFIELD_RUN_PREFLIGHT_H_

#include <cstdint>
#include <string>

#include "base/status.h"
#include "run/plan.h"

namespace levelfield {

// Disk that a store of these settings may take.
uint64_t NeededDiskBytes(const Settings& settings, const std::vector<PlannedPhase>& phases = {});

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

#endif  // LEVELFIELD_RUN_PREFLIGHT_H_
