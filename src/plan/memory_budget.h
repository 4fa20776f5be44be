// How --memory is shared out: between the engine's cache, its write buffer, the page cache and the
// harness; and whether an engine can live in it. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_MEMORY_BUDGET_H_
#define LEVELFIELD_PLAN_MEMORY_BUDGET_H_

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

// With --memory, gives all engines the same cache of a quarter of it and the same write buffer of a
// sixteenth (at most 64 MiB), unless they are given, and less where threads and keys leave less.
// Refuses given ones that together exceed half of the limit, because the limit includes the page
// cache for the engine's files. Without room for that, the kernel evicts the program's own pages
// and reads them again and again. LevelDB with --cache_size=64M under --memory=64M read 394 GB in
// ten minutes without progress.
Status ApplyMemoryBudget(Settings& settings);

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

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_MEMORY_BUDGET_H_
