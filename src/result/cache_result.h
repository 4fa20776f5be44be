// What a phase on a cache has besides the members of every phase. Its one role has statistics for
// each kind of call.
#ifndef LEVELFIELD_RESULT_CACHE_RESULT_H_
#define LEVELFIELD_RESULT_CACHE_RESULT_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/fields.h"

namespace levelfield {

// Kinds of calls by what they did, in the order of those statistics. An insert misses if the cache
// refused it. An erase hits if the value was freed within the call.
enum class CacheCall : uint8_t { kInsert, kLookupHit, kLookupMiss, kEraseHit, kEraseMiss };
inline constexpr size_t kCacheCallKinds = 5;
inline constexpr std::array<std::string_view, kCacheCallKinds> kCacheCallNames = {
    "insert", "lookup_hit", "lookup_miss", "erase_hit", "erase_miss"};

// "lean, 4 threads".
inline std::string CachePhaseName(bool payload, uint64_t threads) {
  return (payload ? "payload, " : "lean, ") + std::to_string(threads) +
         (threads == 1 ? " thread" : " threads");
}

struct CacheResult {
  bool payload = false;  // Values were made, read and freed. Otherwise they were numbers.
  // By kind, as the flags name them. A lookup that inserts on a miss is two calls.
  std::vector<std::pair<std::string, uint64_t>> operations = {};
  uint64_t populated = 0;     // Values that the cache accepted before the operations.
  uint64_t let_go = 0;        // Values freed, including at the cache's end.
  uint64_t usage = 0;         // The cache's own figure after the operations.
  double cpu_seconds = 0;     // CPU time of the threads while they ran operations.
  double making_seconds = 0;  // The share of it spent on drawing keys and operations.

  static constexpr Fields kFields{"the cache of a phase",
                                  Field("payload", &CacheResult::payload),
                                  Field("operations", &CacheResult::operations),
                                  Field("populated", &CacheResult::populated),
                                  Field("let_go", &CacheResult::let_go),
                                  Field("usage", &CacheResult::usage),
                                  Field("cpu_seconds", &CacheResult::cpu_seconds),
                                  Field("making_seconds", &CacheResult::making_seconds)};
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CACHE_RESULT_H_
