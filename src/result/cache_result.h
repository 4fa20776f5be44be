// What one cache came to, as plain data and as JSON: the worker writes it, the host reads it, and
// results.jsonl has it (docs/cache_bench.md). Pure; any thread.
#ifndef LEVELFIELD_RESULT_CACHE_RESULT_H_
#define LEVELFIELD_RESULT_CACHE_RESULT_H_

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "settings/dialects/cache_bench.h"
#include "stats/histogram.h"

namespace levelfield {

// Kinds of calls, once they have run. An erase hits where the value was let go within the call.
enum class CacheCall : uint8_t { kInsert, kLookupHit, kLookupMiss, kEraseHit, kEraseMiss };
inline constexpr size_t kCacheCallKinds = 5;
inline constexpr std::array<std::string_view, kCacheCallKinds> kCacheCallNames = {
    "insert", "lookup_hit", "lookup_miss", "erase_hit", "erase_miss"};

struct CacheCounts {
  std::array<uint64_t, kCacheOperations> operations = {};
  std::array<uint64_t, kCacheCallKinds> calls = {};
  uint64_t failed = 0;  // Inserts that the cache refused.
  uint64_t wrong = 0;   // Hits on what was not inserted for the key.
};

struct CachePhase {
  bool payload = false;
  uint64_t threads = 0;
  double seconds = 0;         // From the first thread's start to the last one's end.
  double thread_seconds = 0;  // Of all threads together.
  double cpu_seconds = 0;
  double making_seconds = 0;
  CacheCounts counts;
  std::array<Histogram, kCacheCallKinds> latency_ns;
  uint64_t populated = 0;
  uint64_t let_go = 0;  // Values, the cache's end included.
  uint64_t usage = 0;   // Of the cache, after the operations.
  std::vector<std::pair<std::string, uint64_t>> counters;
  double clock_drift_ppm = 0;
  std::string problem;  // Why the numbers do not hold; empty: they do.

  uint64_t Operations() const;
  uint64_t Lookups() const;
  uint64_t Inserts() const;
  // What an operation costs a processor, without making its key.
  double CpuNsPerOperation() const;
};

// What a cache says of itself, and how it is made for the settings.
struct CacheDescription {
  std::string name;
  std::string summary;
  std::string license;
  std::vector<std::pair<std::string, std::string>> facts;
  int64_t shard_bits = 0;  // -1: as it chooses.
  uint64_t key_size = 0;
  std::vector<std::string> notes;  // Where it differs from what the generation's defaults say.
  double clock_ns = 0;             // What reading the clock twice takes.
  std::string clock;

  std::string Fact(std::string_view name_of) const;
};

struct CacheResult {
  CacheDescription cache;
  std::vector<CachePhase> phases;
  std::string failure;  // Of its process, or of the cache as a whole.

  bool ok() const;
  // Null: there is no such phase.
  const CachePhase* Find(bool payload, uint64_t threads) const;
};

nlohmann::ordered_json ToJson(const CacheDescription& cache);
StatusOr<CacheDescription> CacheDescriptionFromJson(const nlohmann::ordered_json& json);
nlohmann::ordered_json ToJson(const CachePhase& phase);
StatusOr<CachePhase> CachePhaseFromJson(const nlohmann::ordered_json& json);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CACHE_RESULT_H_
