// What RocksDB's caches share: their C++ interface, as in the current release, or as in the
// librocksdb-dev of Debian 12 or 13 (LEVELFIELD_ROCKSDB_SYSTEM), which are 7.8.3 and 9.10. Each
// plug-in adds how its cache is made and its table's other facts.
#ifndef LEVELFIELD_CACHES_ROCKSDB_CACHE_H_
#define LEVELFIELD_CACHES_ROCKSDB_CACHE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "caches/plug_in.h"
#include "engines/library_facts.h"
#include "rocksdb/cache.h"
#if __has_include("rocksdb/advanced_cache.h")  // From 8.0 on.
#define LEVELFIELD_ROCKSDB_HAS_HELPERS
#include "caches/rocksdb_deleters.h"
#include "rocksdb/advanced_cache.h"
#endif
#include "rocksdb/version.h"

namespace levelfield {

// A plug-in's name: those for the distribution's library stand beside the others.
#ifdef LEVELFIELD_ROCKSDB_SYSTEM
#define LEVELFIELD_ROCKSDB_CACHE_NAME(name) name "@system"
#else
#define LEVELFIELD_ROCKSDB_CACHE_NAME(name) name
#endif

// The pointer that owns a cache, and the one for calls, which does not count owners.
struct RocksDbCache {
  std::shared_ptr<rocksdb::Cache> owner;

  static rocksdb::Cache& Of(lf_cache* cache) {
    return *reinterpret_cast<RocksDbCache*>(cache)->owner;
  }
  static rocksdb::Cache::Handle* Of(lf_cache_handle* handle) {
    return reinterpret_cast<rocksdb::Cache::Handle*>(handle);
  }
  static rocksdb::Slice Of(lf_bytes key) { return {key.data, key.size}; }

  static lf_code Own(std::shared_ptr<rocksdb::Cache> made, lf_cache** cache) {
    if (made == nullptr) return CacheFailed(LF_UNSUPPORTED, "RocksDB refuses such a cache");
    if (cache != nullptr) {
      *cache = reinterpret_cast<lf_cache*>(new RocksDbCache{std::move(made)});
    }
    return LF_OK;
  }

  static lf_code CheckShards(const lf_cache_options& options) {
    if (options.shard_bits < 20) return LF_OK;
    return CacheFailed(LF_UNSUPPORTED, "num_shard_bits=" + std::to_string(options.shard_bits) +
                                           ": RocksDB takes less than 20");
  }

  // The settings that all of them share. The seed for the hash of keys is given, because the
  // release would take one from the host's name: so shards fill alike on every machine.
  template <class Options>
  static void SetCommon(const lf_cache_options& from, Options& to) {
    to.metadata_charge_policy = ChargeOf(from);
#ifdef LEVELFIELD_ROCKSDB_HAS_HELPERS
    to.hash_seed = 0;
#endif
  }

 private:
  static rocksdb::CacheMetadataChargePolicy ChargeOf(const lf_cache_options& options) {
    return options.charge_metadata != 0 ? rocksdb::kFullChargeCacheMetadata
                                        : rocksdb::kDontChargeCacheMetadata;
  }
};

inline void DescribeRocksDb(void* context, lf_fact_sink sink) {
  const std::string version = std::to_string(ROCKSDB_MAJOR) + "." + std::to_string(ROCKSDB_MINOR) +
                              "." + std::to_string(ROCKSDB_PATCH);
  sink(context, "version", version.c_str());
  const std::string path =
      LibraryPath(reinterpret_cast<const void*>(&rocksdb::Cache::CreateFromString));
  sink(context, "library", path.c_str());
#ifdef LEVELFIELD_ROCKSDB_SYSTEM
  const LibraryFile file(path);
  // Sync points are compiled in exactly where RocksDB's own assertions are.
  const bool has_assertions = HoldsLiteral(file.bytes(), "DBImpl::GetImpl:1");
  sink(context, "assertions", Assertions(file.bytes(), has_assertions));
  if (has_assertions) {
    sink(context, "warning",
         "this RocksDB is compiled with assertions, which slow its caches down");
  }
#else
  sink(context, "build", LEVELFIELD_ROCKSDB_CACHES_BUILD);
  sink(context, "assertions", "off");  // scripts/build_rocksdb_caches.sh has checked it.
#endif
}

// The whole table except `create` and what distinguishes the caches.
constexpr lf_cache_table RocksDbCacheTable() {
  lf_cache_table table{};
  table.struct_bytes = sizeof(lf_cache_table);
  table.license = "GPL-2.0 or Apache-2.0";
  table.fixed_shard_bits = -1;
  table.charges_metadata = 1;
  table.describe = DescribeRocksDb;
  table.last_error = [] { return CacheError().c_str(); };
  table.destroy = [](lf_cache* cache) { delete reinterpret_cast<RocksDbCache*>(cache); };
  table.insert = [](lf_cache* cache, lf_bytes key, void* value, size_t charge,
                    lf_cache_deleter deleter, lf_cache_handle** handle) {
#ifdef LEVELFIELD_ROCKSDB_HAS_HELPERS
    const rocksdb::Cache::CacheItemHelper* const how = HelperFor(deleter);
    if (how == nullptr)
      return CacheFailed(LF_FAILED, "more kinds of deleters than it has room for");
    const rocksdb::Status status =
        RocksDbCache::Of(cache).Insert(RocksDbCache::Of(key), value, how, charge,
                                       reinterpret_cast<rocksdb::Cache::Handle**>(handle));
#else
    static_assert(sizeof(rocksdb::Slice) == sizeof(lf_bytes));  // A deleter's argument.
    const auto how = DeleterAs<rocksdb::Cache::DeleterFn>(deleter);
    const rocksdb::Status status =
        RocksDbCache::Of(cache).Insert(RocksDbCache::Of(key), value, charge, how,
                                       reinterpret_cast<rocksdb::Cache::Handle**>(handle));
#endif
    return status.ok() ? LF_OK : CacheFailed(LF_FAILED, "Insert: " + status.ToString());
  };
  table.lookup = [](lf_cache* cache, lf_bytes key, void** value) {
    rocksdb::Cache& rocksdb_cache = RocksDbCache::Of(cache);
    rocksdb::Cache::Handle* const handle = rocksdb_cache.Lookup(RocksDbCache::Of(key));
    if (handle != nullptr) *value = rocksdb_cache.Value(handle);
    return reinterpret_cast<lf_cache_handle*>(handle);
  };
  table.release = [](lf_cache* cache, lf_cache_handle* handle) {
    RocksDbCache::Of(cache).Release(RocksDbCache::Of(handle));
  };
  table.erase = [](lf_cache* cache, lf_bytes key) {
    RocksDbCache::Of(cache).Erase(RocksDbCache::Of(key));
  };
  table.usage = [](lf_cache* cache) -> uint64_t { return RocksDbCache::Of(cache).GetUsage(); };
  table.counters = [](lf_cache* cache, void* context, void (*sink)(void*, const char*, uint64_t)) {
    // Counted one by one: GetOccupancyCount of 7.8.3 returns the pinned charge.
    uint64_t entries = 0;
    RocksDbCache::Of(cache).ApplyToAllEntries(
        [&](const rocksdb::Slice&, void*, size_t, const auto&) { ++entries; }, {});
    sink(context, "entries", entries);
    sink(context, "slots", RocksDbCache::Of(cache).GetTableAddressCount());
    sink(context, "pinned", RocksDbCache::Of(cache).GetPinnedUsage());
  };
  return table;
}

// Both HyperClock caches take keys of 16 bytes, like those of RocksDB's blocks, and drop a value
// whose key exists already.
constexpr lf_cache_table HyperClockCacheTable(const char* name, const char* summary,
                                              decltype(lf_cache_table::create) create) {
  lf_cache_table table = RocksDbCacheTable();
  table.name = name;
  table.summary = summary;
  table.key_bytes = 16;
  table.keeps_first = 1;
  table.create = create;
  return table;
}

}  // namespace levelfield

#endif  // LEVELFIELD_CACHES_ROCKSDB_CACHE_H_
