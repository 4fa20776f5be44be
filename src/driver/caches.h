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

// The facts of a cache, and whether it can be made for the settings. Creates nothing. `words` are
// the source of the settings.
StatusOr<RunResult> DescribeCache(const std::string& name, const std::vector<std::string>& words);

// Runs all phases of the settings as the results' run of that number, up to the first phase in
// which the cache's process fails. The outcome is kInterrupted if the user interrupts. A failure of
// the call concerns the results' files.
StatusOr<RunResult> MeasureCache(const CacheBenchSettings& settings, const std::string& name,
                                 const std::vector<std::string>& words, size_t run,
                                 ResultDirectory& results);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_CACHES_H_
