// A measured phase on a cache: a fresh one, filled if that was asked for, then a role that calls
// it, run as those of a workload are (phase.h), then the cache's end; and whether the numbers hold.
// The worker's main thread.
#ifndef LEVELFIELD_WORKER_CACHE_PHASE_H_
#define LEVELFIELD_WORKER_CACHE_PHASE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "levelfield/cache_abi.h"
#include "operations/task.h"
#include "result/cache_result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

// `progress` hears now and then, on this thread, how many operations are done.
StatusOr<CachePhase> RunCachePhase(const CacheBenchSettings& settings, const lf_cache_table& table,
                                   const lf_cache_options& options, size_t key_size,
                                   const Clock& clock, bool payload, uint64_t threads,
                                   const std::function<void(uint64_t operations)>& progress);

// Sums up, and checks that everything adds up: the operations are those that were asked for, each
// is found again among the calls, every value that went in came out once, none was wrong.
CachePhase SumUp(const CacheBenchSettings& settings, const std::vector<ThreadResult>& threads);
std::string ProblemOf(const CacheBenchSettings& settings, const CachePhase& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CACHE_PHASE_H_
