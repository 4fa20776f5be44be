// RocksDB's LRUCache, the block cache by default: shards of an LRU list behind a mutex.
#include "caches/rocksdb_cache.h"

namespace {

using levelfield::RocksDbCache;

lf_code Create(const lf_cache_options* options, lf_cache** cache) {
  const lf_code code = RocksDbCache::CheckShards(*options);
  if (code != LF_OK || cache == nullptr) return code;
  rocksdb::LRUCacheOptions lru;
  lru.capacity = options->capacity;
  lru.num_shard_bits = options->shard_bits;
  RocksDbCache::SetCommon(*options, lru);
  return RocksDbCache::Own(rocksdb::NewLRUCache(lru), cache);
}

constexpr lf_cache_table kTable = [] {
  lf_cache_table table = levelfield::RocksDbCacheTable();
  table.name = LEVELFIELD_ROCKSDB_CACHE_NAME("rocksdb_lru");
  table.summary = "RocksDB's LRUCache: shards of an LRU list behind a mutex";
  table.create = Create;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_CACHE(kTable)
