// What an engine's own caches may take of a memory limit that holds everything: its heap, and the
// page cache of what it reads and writes. Where they fill the limit, the kernel has nothing left to
// evict but the pages of files, the program's own among them, and reads the same ones from the disk
// again and again: LevelDB with --cache_size=64M under --memory=64M read 394 GB in ten minutes, and
// got nowhere. Pure.
#ifndef LEVELFIELD_PLAN_MEMORY_BUDGET_H_
#define LEVELFIELD_PLAN_MEMORY_BUDGET_H_

#include "base/status.h"
#include "settings/settings.h"

namespace levelfield {

// With --memory, gives the engines a cache of a quarter of it and a write buffer of a sixteenth (64
// MiB at the most) where those are not given, the same for all. Refuses what is given where both
// together are more than half of the limit.
Status ApplyMemoryBudget(Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_MEMORY_BUDGET_H_
