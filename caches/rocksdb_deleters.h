// How RocksDB's caches from 8.0 on release a value: by a helper, a constant that names a function
// of the value alone. lf_cache_deleter also takes the key, which such a cache does not keep in one
// piece, and is known only at run time. So there are a few helpers whose functions call the deleter
// that was assigned to them. That costs one jump for each value more than the deleter itself.
//
// Any thread.
#ifndef LEVELFIELD_CACHES_ROCKSDB_DELETERS_H_
#define LEVELFIELD_CACHES_ROCKSDB_DELETERS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

#include "levelfield/cache_abi.h"
#include "rocksdb/advanced_cache.h"

namespace levelfield {

inline constexpr size_t kMostDeleters = 8;
inline std::array<std::atomic<lf_cache_deleter>, kMostDeleters> deleters = {};

template <size_t kAt>
void LetGoBy(rocksdb::Cache::ObjectPtr value, rocksdb::MemoryAllocator*) {
  deleters[kAt].load(std::memory_order_relaxed)(nullptr, value);
}

template <size_t... kAt>
const std::array<rocksdb::Cache::CacheItemHelper, kMostDeleters>& Helpers(
    std::index_sequence<kAt...>) {
  static const std::array<rocksdb::Cache::CacheItemHelper, kMostDeleters> helpers = {
      rocksdb::Cache::CacheItemHelper(rocksdb::CacheEntryRole::kMisc, &LetGoBy<kAt>)...};
  return helpers;
}

// Null: all helpers have a deleter already.
inline const rocksdb::Cache::CacheItemHelper* HelperFor(lf_cache_deleter deleter) {
  static const auto& helpers = Helpers(std::make_index_sequence<kMostDeleters>());
  for (size_t at = 0; at < kMostDeleters; ++at) {
    lf_cache_deleter there = deleters[at].load(std::memory_order_relaxed);
    if (there == deleter) return &helpers[at];
    if (there != nullptr) continue;
    if (deleters[at].compare_exchange_strong(there, deleter) || there == deleter) {
      return &helpers[at];
    }
  }
  return nullptr;
}

}  // namespace levelfield

#endif  // LEVELFIELD_CACHES_ROCKSDB_DELETERS_H_
