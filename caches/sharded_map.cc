// The baseline: hash tables, each behind a mutex, that drop the oldest entry first. It keeps no
// order of use, so a lookup changes only a count of holders: the least that any cache of this kind
// must cost.
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "caches/plug_in.h"

namespace {

constexpr int32_t kOwnShardBits = 6;
constexpr size_t kFirstBuckets = 16;

// In the table it has one more holder: the table. Its key follows it in memory.
struct Entry {
  Entry* next_in_bucket;
  Entry* older;
  Entry* newer;
  void* value;
  lf_cache_deleter deleter;
  size_t charge;
  uint64_t hash;
  uint32_t holders;
  uint32_t key_size;

  char* key() { return reinterpret_cast<char*>(this + 1); }
};

uint64_t HashOf(lf_bytes key) {
  uint64_t hash = key.size;
  for (size_t at = 0; at < key.size; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, key.data + at, key.size - at < 8 ? key.size - at : 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  return hash * 0xbf58476d1ce4e5b9;
}

// Releases an entry that no table and no handle holds, outside of the lock.
void LetGo(Entry* entry) {
  while (entry != nullptr) {
    Entry* const next = entry->next_in_bucket;
    const lf_bytes key = {entry->key(), entry->key_size};
    entry->deleter(&key, entry->value);
    ::operator delete(entry);
    entry = next;
  }
}

class alignas(64) Shard {
 public:
  Shard() : buckets_(kFirstBuckets) {}
  ~Shard() {
    while (oldest_ != nullptr) LetGo(Remove(Place(oldest_)));
  }

  void set_capacity(uint64_t capacity) { capacity_ = capacity; }

  void Insert(Entry* entry) {
    Entry* gone = nullptr;
    {
      const std::lock_guard lock(mutex_);
      Entry** const place = Find(entry->hash, {entry->key(), entry->key_size});
      if (*place != nullptr) gone = Remove(place);
      Add(entry);
      while (usage_ > capacity_) {
        Entry* const evicted = Remove(Place(oldest_));
        if (evicted == nullptr) continue;
        evicted->next_in_bucket = gone;
        gone = evicted;
      }
    }
    LetGo(gone);
  }

  Entry* Lookup(uint64_t hash, lf_bytes key) {
    const std::lock_guard lock(mutex_);
    Entry* const entry = *Find(hash, key);
    if (entry != nullptr) ++entry->holders;
    return entry;
  }

  void Release(Entry* entry) {
    {
      const std::lock_guard lock(mutex_);
      if (--entry->holders != 0) return;
    }
    entry->next_in_bucket = nullptr;
    LetGo(entry);
  }

  void Erase(uint64_t hash, lf_bytes key) {
    Entry* gone = nullptr;
    {
      const std::lock_guard lock(mutex_);
      Entry** const place = Find(hash, key);
      if (*place == nullptr) return;
      gone = Remove(place);
    }
    LetGo(gone);
  }

  uint64_t usage() {
    const std::lock_guard lock(mutex_);
    return usage_;
  }
  uint64_t count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  Entry** Bucket(uint64_t hash) { return &buckets_[hash & (buckets_.size() - 1)]; }

  Entry** Find(uint64_t hash, lf_bytes key) {
    Entry** place = Bucket(hash);
    while (*place != nullptr && ((*place)->hash != hash || (*place)->key_size != key.size ||
                                 std::memcmp((*place)->key(), key.data, key.size) != 0)) {
      place = &(*place)->next_in_bucket;
    }
    return place;
  }

  Entry** Place(Entry* entry) {
    Entry** place = Bucket(entry->hash);
    while (*place != entry) place = &(*place)->next_in_bucket;
    return place;
  }

  void Add(Entry* entry) {
    if (count_ == buckets_.size()) Grow();
    Entry** const bucket = Bucket(entry->hash);
    entry->next_in_bucket = *bucket;
    *bucket = entry;
    entry->older = newest_;
    entry->newer = nullptr;
    (newest_ != nullptr ? newest_->newer : oldest_) = entry;
    newest_ = entry;
    usage_ += entry->charge;
    ++count_;
  }

  // The entry if nobody holds it any more, else null.
  Entry* Remove(Entry** place) {
    Entry* const entry = *place;
    *place = entry->next_in_bucket;
    (entry->older != nullptr ? entry->older->newer : oldest_) = entry->newer;
    (entry->newer != nullptr ? entry->newer->older : newest_) = entry->older;
    usage_ -= entry->charge;
    --count_;
    entry->next_in_bucket = nullptr;
    return --entry->holders == 0 ? entry : nullptr;
  }

  void Grow() {
    std::vector<Entry*> buckets(buckets_.size() * 2);
    buckets_.swap(buckets);
    for (Entry* entry = oldest_; entry != nullptr; entry = entry->newer) {
      Entry** const bucket = Bucket(entry->hash);
      entry->next_in_bucket = *bucket;
      *bucket = entry;
    }
  }

  std::mutex mutex_;
  std::vector<Entry*> buckets_;
  Entry* oldest_ = nullptr;
  Entry* newest_ = nullptr;
  uint64_t usage_ = 0;
  uint64_t count_ = 0;
  uint64_t capacity_ = 0;
};

class Map {
 public:
  Map(uint64_t capacity, int32_t shard_bits)
      : bits_(shard_bits), shards_(new Shard[size_t{1} << shard_bits]) {
    const uint64_t share = (capacity + count() - 1) / count();
    for (size_t i = 0; i < count(); ++i) shards_[i].set_capacity(share);
  }

  size_t count() const { return size_t{1} << bits_; }
  Shard& shard(size_t i) { return shards_[i]; }
  Shard& Of(uint64_t hash) { return shards_[hash >> 44 & (count() - 1)]; }

 private:
  int32_t bits_;
  std::unique_ptr<Shard[]> shards_;
};

Map& Of(lf_cache* cache) { return *reinterpret_cast<Map*>(cache); }

lf_code Create(const lf_cache_options* options, lf_cache** cache) {
  const int32_t bits = options->shard_bits < 0 ? kOwnShardBits : options->shard_bits;
  if (bits >= 20) {
    return levelfield::CacheFailed(
        LF_UNSUPPORTED, "num_shard_bits=" + std::to_string(bits) + ": the map takes less than 20");
  }
  if (cache != nullptr) {
    *cache = reinterpret_cast<lf_cache*>(new Map(options->capacity, bits));
  }
  return LF_OK;
}

lf_code Insert(lf_cache* cache, lf_bytes key, void* value, size_t charge, lf_cache_deleter deleter,
               lf_cache_handle** handle) {
  const uint64_t hash = HashOf(key);
  auto* const entry = static_cast<Entry*>(::operator new(sizeof(Entry) + key.size));
  *entry = {.next_in_bucket = nullptr,
            .older = nullptr,
            .newer = nullptr,
            .value = value,
            .deleter = deleter,
            .charge = charge,
            .hash = hash,
            .holders = handle != nullptr ? 2u : 1u,
            .key_size = static_cast<uint32_t>(key.size)};
  std::memcpy(entry->key(), key.data, key.size);
  if (handle != nullptr) *handle = reinterpret_cast<lf_cache_handle*>(entry);
  Of(cache).Of(hash).Insert(entry);
  return LF_OK;
}

lf_cache_handle* Lookup(lf_cache* cache, lf_bytes key, void** value) {
  const uint64_t hash = HashOf(key);
  Entry* const entry = Of(cache).Of(hash).Lookup(hash, key);
  if (entry != nullptr) *value = entry->value;
  return reinterpret_cast<lf_cache_handle*>(entry);
}

void Release(lf_cache* cache, lf_cache_handle* handle) {
  auto* const entry = reinterpret_cast<Entry*>(handle);
  Of(cache).Of(entry->hash).Release(entry);
}

void Erase(lf_cache* cache, lf_bytes key) {
  const uint64_t hash = HashOf(key);
  Of(cache).Of(hash).Erase(hash, key);
}

uint64_t Usage(lf_cache* cache) {
  uint64_t usage = 0;
  for (size_t i = 0; i < Of(cache).count(); ++i) usage += Of(cache).shard(i).usage();
  return usage;
}

void Counters(lf_cache* cache, void* context, void (*sink)(void*, const char*, uint64_t)) {
  uint64_t entries = 0;
  for (size_t i = 0; i < Of(cache).count(); ++i) entries += Of(cache).shard(i).count();
  sink(context, "entries", entries);
}

constexpr lf_cache_table kTable = {
    .struct_bytes = sizeof(lf_cache_table),
    .name = "sharded_map",
    .summary = "hash tables behind a mutex each, first in first out: the floor",
    .license = "BSD-3-Clause",
    .key_bytes = 0,
    .fixed_shard_bits = -1,
    .charges_metadata = 0,
    .keeps_first = 0,
    .describe = [](void* context, lf_fact_sink sink) { sink(context, "version", "1"); },
    .last_error = [] { return levelfield::CacheError().c_str(); },
    .create = Create,
    .destroy = [](lf_cache* cache) { delete &Of(cache); },
    .insert = Insert,
    .lookup = Lookup,
    .release = Release,
    .erase = Erase,
    .usage = Usage,
    .counters = Counters,
};

}  // namespace

LEVELFIELD_EXPORT_CACHE(kTable)
