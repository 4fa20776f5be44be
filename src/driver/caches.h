// Runs of cache_bench: each phase of a cache has its own worker (worker/cache.h), and each cache is
// a run of the results. One thread at a time.
#ifndef LEVELFIELD_DRIVER_CACHES_H_
#define LEVELFIELD_DRIVER_CACHES_H_

#include <string>
#include <vector>

#include "driver/result_directory.h"
#include "result/result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

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
