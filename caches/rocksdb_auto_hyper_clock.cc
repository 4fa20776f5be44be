// RocksDB's HyperClockCache with a table that grows, the default block cache since 10. It need not
// know what an entry is charged, and it reserves address space for the most entries.
#include <algorithm>

#include "caches/rocksdb_cache.h"

namespace {

using levelfield::RocksDbCache;

lf_code Create(const lf_cache_options* options, lf_cache** cache) {
  const lf_code code = RocksDbCache::CheckShards(*options);
  if (code != LF_OK || cache == nullptr) return code;
  rocksdb::HyperClockCacheOptions clock(options->capacity, 0, options->shard_bits);
  RocksDbCache::SetCommon(*options, clock);
  // It reserves room for as many entries as this allows; a charge below its default must be given.
  if (options->entry_charge != 0) {
    clock.min_avg_entry_charge =
        std::min<size_t>(clock.min_avg_entry_charge, options->entry_charge);
  }
  return RocksDbCache::Own(clock.MakeSharedCache(), cache);
}

constexpr lf_cache_table kTable = levelfield::HyperClockCacheTable(
    "rocksdb_auto_hyper_clock", "RocksDB's HyperClockCache that grows: no locks, CLOCK eviction",
    Create);

}  // namespace

LEVELFIELD_EXPORT_CACHE(kTable)
