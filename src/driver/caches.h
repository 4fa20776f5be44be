// Runs of cache_bench: each phase of a cache is a worker of its own (worker/cache.h), and each
// cache a run of the results. One thread at a time.
#ifndef LEVELFIELD_DRIVER_CACHES_H_
#define LEVELFIELD_DRIVER_CACHES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/result_directory.h"
#include "result/result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

// What the caches may take of the machine's memory, estimated on the safe side.
uint64_t MemoryNeed(const CacheBenchSettings& settings);
// A usage error where less than that is free, with what to make smaller.
Status CheckMemory(const CacheBenchSettings& settings, uint64_t free_bytes);
// What is free by an environment (result/environment.h), within the cgroup's limit; 2^64-1 where
// neither is known.
uint64_t FreeMemoryIn(const nlohmann::ordered_json& environment);

// What the cache is, and whether it can be made as the settings want it. Creates nothing. `words`
// are those that the settings were made of.
StatusOr<RunResult> DescribeCache(const std::string& name, const std::vector<std::string>& words);

// All phases of the settings, up to the first in which the cache's process fails, as the results'
// run of that number. Its outcome is kInterrupted where somebody has had enough. A failure is one
// of the results' files.
StatusOr<RunResult> MeasureCache(const CacheBenchSettings& settings, const std::string& name,
                                 const std::vector<std::string>& words, size_t run,
                                 ResultDirectory& results);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_CACHES_H_
