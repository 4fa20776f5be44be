// What a worker does where its engine is a cache: describes it, or measures it in one phase. A
// process has one phase, so that none finds the heap that another one left.
#ifndef LEVELFIELD_WORKER_CACHE_H_
#define LEVELFIELD_WORKER_CACHE_H_

#include <atomic>

#include "plan/messages.h"
#include "settings/dialects/cache_bench.h"
#include "worker/phase.h"

namespace levelfield {

// Sends CacheDescribed and, where a measurement is asked for, what came of it. A failure where the
// cache cannot be loaded or made.
Status RunCache(const WorkerSpec& spec, MessageWriter& events,
                const std::atomic<bool>& interrupted);

// The roles and the cache's own figures, from the threads of the run.
void SumUpCache(const Workload& workload, const PhaseRun& run, PhaseResult& result);
// Voids a phase whose numbers cannot all be true, or in which a value was wrong.
void VerifyCache(const CacheBenchSettings& settings, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CACHE_H_
