// What one cache came to, as plain data and as JSON: the worker writes it, the host reads it, and
// results.jsonl has it (docs/cache_bench.md). Pure; any thread.
#ifndef LEVELFIELD_CACHE_BENCH_CACHE_RESULT_H_
#define LEVELFIELD_CACHE_BENCH_CACHE_RESULT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "cache_bench/phase.h"

namespace levelfield {

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

#endif  // LEVELFIELD_CACHE_BENCH_CACHE_RESULT_H_
