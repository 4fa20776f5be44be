// The command line of cache_bench, in all three of its generations: what each flag is, where it
// exists, its default, and which flags cannot be honoured here and why.
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_CACHE_BENCH_H_
#define LEVELFIELD_SETTINGS_DIALECTS_CACHE_BENCH_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace levelfield {

// RocksDB's program from 3.6 on; its rewrite in 6.10; and as it is now.
enum class Generation { k2014, k2020, kCurrent };

// An operation of the stream. Hits and misses are told apart after it has run.
enum class CacheOperation : uint8_t { kLookupInsert, kInsert, kBlindInsert, kLookup, kErase };
inline constexpr size_t kCacheOperations = 5;
inline constexpr std::array<std::string_view, kCacheOperations> kCacheOperationNames = {
    "lookup_insert", "insert", "blind_insert", "lookup", "erase"};

struct CacheBenchSettings {
  Generation generation = Generation::k2014;
  std::string generation_reason;
  std::vector<std::string> caches;  // Names of plug-ins, each once.

  // The fields of the flags, whose rows explain them.
  uint64_t threads = 0;
  uint64_t cache_size = 0;
  int64_t num_shard_bits = 0;
  uint64_t ops_per_thread = 0;
  bool populate_cache = false;
  std::array<uint64_t, kCacheOperations> percent = {};
  uint64_t max_key = 0;       // From 2020 on it follows from the capacity.
  uint64_t value_bytes = 10;  // As in 2014, which had no flag for it.
  uint64_t value_bytes_estimate = 0;
  double resident_ratio = 1;
  double pinned_ratio = 0;
  double compressible_to_ratio = 1;
  uint64_t skew = 0;
  bool skewed = false;
  bool use_clock_cache = false;
  std::string cache_type;
  bool lean = false;
  bool histograms = true;
  bool scaling = false;
  uint64_t seed = 0;
  std::string results;
  double stall = 0;

  // These follow from the flags and the generation.
  bool shards_are_given = false;
  uint64_t key_size = 0;      // 8 bytes in 2014, 16 later.
  uint64_t charge = 0;        // 1 in 2014, later the size of the value.
  uint64_t entry_charge = 0;  // The charge that a cache with a fixed table should expect.
  uint64_t pinned = 0;        // Handles that all threads together hold.
  bool charges_metadata = false;

  // Every flag of the generation with its value, and those that were typed.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<std::string> given;

  // How many entries populating inserts: as many as the original.
  uint64_t Populated() const;
  // With --scaling 1, 2, 4 ... and the number itself; else that alone.
  std::vector<uint64_t> ThreadCounts() const;
  // The most handles that each of so many threads holds at a time.
  uint64_t PinnedByThread(uint64_t thread_count) const;
};

std::string_view GenerationName(Generation generation);

// --help for a generation, if one was asked for.
std::string CacheBenchHelp(std::optional<Generation> generation);

struct CacheBenchWords {
  bool help = false;
  std::optional<Generation> generation;
  std::vector<std::pair<std::string, std::string>> flags;  // As typed, in canonical spelling.
};
// Takes `--name=value`, `--name value`, `-name=value`, `--switch` and `--noswitch` apart.
StatusOr<CacheBenchWords> SplitCacheBenchWords(const std::vector<std::string>& words);

// `caches`: the names of the available plug-ins, for `--cache_type=all`.
StatusOr<CacheBenchSettings> ParseCacheBench(const CacheBenchWords& words,
                                             const std::vector<std::string>& caches);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_CACHE_BENCH_H_
