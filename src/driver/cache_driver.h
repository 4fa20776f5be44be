// Has caches described and measured in worker processes (worker/cache_worker.h). One thread at a
// time.
#ifndef LEVELFIELD_DRIVER_CACHE_DRIVER_H_
#define LEVELFIELD_DRIVER_CACHE_DRIVER_H_

#include <string>
#include <vector>

#include "result/cache_result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

// Whether the cache can be made as the settings want it, and what it is. Creates nothing.
StatusOr<CacheDescription> DescribeCache(const std::string& name,
                                         const std::vector<std::string>& words);
// All phases of the settings, up to the first one in which the cache fails. `words` are those that
// the settings were made of.
CacheResult MeasureCache(const CacheBenchSettings& settings, const std::string& name,
                         const std::vector<std::string>& words);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_CACHE_DRIVER_H_
