// RocksDB's HyperClockCache: a table of fixed size without locks, and CLOCK eviction. It takes keys
// of 16 bytes, like those of RocksDB's blocks, must know what an entry is charged, and drops a
// value whose key exists already.
#include "caches/rocksdb_cache.h"

namespace {

using levelfield::RocksDbCache;

lf_code Create(const lf_cache_options* options, lf_cache** cache) {
  const lf_code code = RocksDbCache::CheckShards(*options);
  if (code != LF_OK) return code;
  if (options->entry_charge == 0) {
    return levelfield::CacheFailed(LF_UNSUPPORTED,
                                   "HyperClockCache has to know what an entry is charged");
  }
  if (cache == nullptr) return LF_OK;
  rocksdb::HyperClockCacheOptions clock(options->capacity, options->entry_charge,
                                        options->shard_bits);
  RocksDbCache::SetCommon(*options, clock);
  return RocksDbCache::Own(clock.MakeSharedCache(), cache);
}

constexpr lf_cache_table kTable = levelfield::HyperClockCacheTable(
    LEVELFIELD_ROCKSDB_CACHE_NAME("rocksdb_hyper_clock"),
    "RocksDB's HyperClockCache: a fixed table without locks, CLOCK eviction", Create);

}  // namespace

LEVELFIELD_EXPORT_CACHE(kTable)
