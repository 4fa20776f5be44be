// One measured phase: a fresh cache, filled if that was asked for, then so many threads that run
// their streams on it, then its end; and whether its numbers hold. One caller at a time.
#ifndef LEVELFIELD_WORKER_CACHE_PHASE_H_
#define LEVELFIELD_WORKER_CACHE_PHASE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "levelfield/cache_abi.h"
#include "result/cache_result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

// What one thread did; written while it runs, so no two share a cache line (or the next one, which
// processors fetch along).
struct alignas(128) CacheThread {
  CacheCounts counts;
  std::array<Histogram, kCacheCalls> latency_ns;  // Empty where no clock was read.
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;
  double cpu_seconds = 0;
  double making_seconds = 0;  // Of these, what the keys and kinds of the operations took.
  uint64_t let_go = 0;
  uint64_t digest = 0;  // So that no compiler leaves the reading out.
};

// `progress` hears now and then, on this thread, how many operations are done.
StatusOr<CachePhase> RunCachePhase(const CacheBenchSettings& settings, const lf_cache_table& table,
                                   const lf_cache_options& options, size_t key_size,
                                   const Clock& clock, bool payload, uint64_t threads,
                                   const std::function<void(uint64_t operations)>& progress);

// Sums up, and checks that everything adds up: the operations are those that were asked for, each
// is found again among the calls, every value that went in came out once, none was wrong.
CachePhase SumUp(const CacheBenchSettings& settings, const std::vector<CacheThread>& threads);
std::string ProblemOf(const CacheBenchSettings& settings, const CachePhase& phase);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_CACHE_PHASE_H_
