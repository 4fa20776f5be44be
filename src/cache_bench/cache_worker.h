// The worker process of cache_bench: one cache, loaded into a process of its own, described or
// measured in one phase, so that no phase finds the heap that another one left; and the host's
// side, which starts it and follows what it says. One thread at a time.
#ifndef LEVELFIELD_CACHE_BENCH_CACHE_WORKER_H_
#define LEVELFIELD_CACHE_BENCH_CACHE_WORKER_H_

#include <string>
#include <string_view>
#include <vector>

#include "cache_bench/cache_result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

inline constexpr std::string_view kCacheWorkerWord = "--cache-worker";

// The whole life of the process; its words are the cache's name, "describe", "payload" or "lean", a
// number of threads, and the words that cache_bench was given.
int RunCacheWorker(const std::vector<std::string>& words);

// Whether the cache can be made as the settings want it, and what it is. Creates nothing.
StatusOr<CacheDescription> DescribeCache(const std::string& name,
                                         const std::vector<std::string>& words);
// All phases of the settings, up to the first one in which the cache fails.
CacheResult MeasureCache(const CacheBenchSettings& settings, const std::string& name,
                         const std::vector<std::string>& words);

// 1, 2, 4 ... and the number itself; or that alone.
std::vector<uint64_t> ThreadCounts(const CacheBenchSettings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_CACHE_BENCH_CACHE_WORKER_H_
