// The operation `cache`: a thread's stream of lookups, inserts and erases on a cache. cache_bench
// alone has such a role (worker/cache.h); a workload file cannot name it.
#ifndef LEVELFIELD_OPERATIONS_CACHE_H_
#define LEVELFIELD_OPERATIONS_CACHE_H_

#include <array>
#include <cstdint>
#include <functional>

#include "levelfield/cache_abi.h"
#include "settings/dialects/cache_bench.h"
#include "workload/operation.h"

namespace levelfield {

// What all threads of the role share.
struct CacheTask {
  const CacheBenchSettings& settings;
  const lf_cache_table& table;
  lf_cache* cache;
  size_t key_size;
  bool payload;  // Values are made, read and freed; else they are numbers.
  uint64_t threads;
};

// What a thread did beside its calls, whose statistics are in the order of CacheCall.
struct CacheWork {
  std::array<uint64_t, kCacheOperations> operations = {};
  uint64_t let_go = 0;  // Values that were let go on this thread.
  double cpu_seconds = 0;
  double making_seconds = 0;  // The part of it spent drawing keys and operations.
};

extern const Operation kCacheCalls;

// Inserts before the role begins, which are not measured. Returns how many the cache took;
// `progress` hears now and then how many were tried.
uint64_t Populate(const CacheTask& task, const std::function<void(uint64_t)>& progress);
// How many values this thread has let go so far.
uint64_t ValuesLetGo();

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_CACHE_H_
