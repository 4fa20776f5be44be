// LevelDB's block cache, leveldb::NewLRUCache: 16 shards, each an LRU list behind a mutex. The
// release build of the engine `leveldb`.

#include "caches/plug_in.h"
#include "engines/library_facts.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"

namespace {

using leveldb::Cache;

// A deleter's Slice is read as an lf_bytes.
static_assert(sizeof(leveldb::Slice) == sizeof(lf_bytes));

Cache* Of(lf_cache* cache) { return reinterpret_cast<Cache*>(cache); }
Cache::Handle* Of(lf_cache_handle* handle) { return reinterpret_cast<Cache::Handle*>(handle); }
leveldb::Slice Of(lf_bytes key) { return {key.data, key.size}; }

void Describe(void* context, lf_fact_sink sink) {
  const std::string version =
      std::to_string(leveldb::kMajorVersion) + "." + std::to_string(leveldb::kMinorVersion);
  sink(context, "version", version.c_str());
  const std::string path =
      levelfield::LibraryPath(reinterpret_cast<const void*>(&leveldb::NewLRUCache));
  sink(context, "library", path.c_str());
  sink(context, "build", LEVELFIELD_LEVELDB_BUILD);
}

lf_code Create(const lf_cache_options* options, lf_cache** cache) {
  if (cache != nullptr) {
    *cache = reinterpret_cast<lf_cache*>(leveldb::NewLRUCache(options->capacity));
  }
  return LF_OK;
}

lf_code Insert(lf_cache* cache, lf_bytes key, void* value, size_t charge, lf_cache_deleter deleter,
               lf_cache_handle** handle) {
  Cache::Handle* const held =
      Of(cache)->Insert(Of(key), value, charge,
                        levelfield::DeleterAs<void (*)(const leveldb::Slice&, void*)>(deleter));
  if (handle != nullptr) {
    *handle = reinterpret_cast<lf_cache_handle*>(held);
  } else {
    Of(cache)->Release(held);
  }
  return LF_OK;
}

lf_cache_handle* Lookup(lf_cache* cache, lf_bytes key, void** value) {
  Cache::Handle* const handle = Of(cache)->Lookup(Of(key));
  if (handle != nullptr) *value = Of(cache)->Value(handle);
  return reinterpret_cast<lf_cache_handle*>(handle);
}

constexpr lf_cache_table kTable = {
    .struct_bytes = sizeof(lf_cache_table),
    .name = "leveldb_lru",
    .summary = "LevelDB's block cache: 16 shards, each an LRU list behind a mutex",
    .license = "BSD-3-Clause",
    .key_bytes = 0,
    .fixed_shard_bits = 4,
    .charges_metadata = 0,
    .keeps_first = 0,
    .describe = Describe,
    .last_error = [] { return levelfield::CacheError().c_str(); },
    .create = Create,
    .destroy = [](lf_cache* cache) { delete Of(cache); },
    .insert = Insert,
    .lookup = Lookup,
    .release = [](lf_cache* cache, lf_cache_handle* handle) { Of(cache)->Release(Of(handle)); },
    .erase = [](lf_cache* cache, lf_bytes key) { Of(cache)->Erase(Of(key)); },
    .usage = [](lf_cache* cache) -> uint64_t { return Of(cache)->TotalCharge(); },
    .counters = nullptr,
};

}  // namespace

LEVELFIELD_EXPORT_CACHE(kTable)
