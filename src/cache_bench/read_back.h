// What cache_bench has written to a result directory, read again, so that its tables can be printed
// again, byte for byte, without any cache. Any thread.
#ifndef LEVELFIELD_CACHE_BENCH_READ_BACK_H_
#define LEVELFIELD_CACHE_BENCH_READ_BACK_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "cache_bench/cache_result.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

struct CacheBenchRun {
  CacheBenchSettings settings;
  std::vector<CacheResult> results;  // Those that had ended.
};

// A kUsage error where it is no result of cache_bench, kFailed where it is a broken one.
StatusOr<CacheBenchRun> ReadCacheBench(const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_CACHE_BENCH_READ_BACK_H_
