// The worker's part when the engine is a cache: describes it, or measures it in one phase. A
// process has only one phase, so none inherits another's heap.
#ifndef LEVELFIELD_WORKER_CACHE_H_
#define LEVELFIELD_WORKER_CACHE_H_

#include <atomic>

#include "plan/messages.h"
#include "settings/dialects/cache_bench.h"
#include "worker/message_writer.h"
#include "worker/phase.h"

namespace levelfield {

// Sends CacheDescribed and, if a measurement is asked for, its result. Fails if the cache cannot be
// loaded or made.
Status RunCache(const WorkerSpec& spec, MessageWriter& events,
                const std::atomic<bool>& interrupted);

// The roles and the cache's own figures, from the threads of the run.
void SumUpCache(const Workload& workload, const PhaseRun& run, PhaseResult& result);
// Voids a phase whose numbers cannot all be true, or that found a wrong value.
void VerifyCache(const CacheBenchSettings& settings, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CACHE_H_
