/* The contract between cache_bench and a cache, in C. A plug-in is one shared library
 * `caches/levelfield_cache_<name>.so` that exports one symbol, `levelfield_cache`. Each runs in a
 * worker process of its own.
 *
 * A cache keeps values that it never looks into: a pointer, a charge against its capacity, and the
 * deleter that it calls once for each value when it lets go of it, on whatever thread that happens.
 *
 * Threads: `create` and `destroy` are called by one thread, with nothing else running; all others
 * by any number of threads at once. */
#ifndef LEVELFIELD_CACHE_ABI_H_
#define LEVELFIELD_CACHE_ABI_H_

#include "levelfield/engine_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lf_cache lf_cache;
typedef struct lf_cache_handle lf_cache_handle;

/* LevelDB's and RocksDB's own deleters take a `const Slice&`, which is passed as this pointer is,
 * so that no function stands between the cache and the deleter. A cache that cannot tell the key
 * hands a null one. */
typedef void (*lf_cache_deleter)(const lf_bytes* key, void* value);

typedef struct lf_cache_options {
  size_t struct_bytes;
  uint64_t capacity;       /* The sum of the charges that are kept. */
  int32_t shard_bits;      /* 2^n shards; -1: as the cache itself chooses. */
  uint64_t entry_charge;   /* What an entry is going to be charged, for caches of a fixed table. */
  int32_t charge_metadata; /* 1: what the cache itself takes counts too, where it can. */
} lf_cache_options;

typedef struct lf_cache_table {
  size_t struct_bytes;
  const char* name;
  const char* summary;
  const char* license;      /* Of the cache's library. */
  size_t key_bytes;         /* The one size of key that it takes; 0: any. */
  int32_t fixed_shard_bits; /* What it cannot be asked to change; -1: it can. */
  int32_t charges_metadata; /* 1: honours `charge_metadata`. */
  int32_t keeps_first; /* 1: an insert of a key that is there leaves it as it is. */
  /* "version", "library", "build", "warning" and the like, as an engine tells them. */
  void (*describe)(void* context, lf_fact_sink sink);
  /* Why the last call of this thread came to LF_UNSUPPORTED or LF_FAILED. */
  const char* (*last_error)(void);
  /* A null `cache`: only checks the options. */
  lf_code (*create)(const lf_cache_options*, lf_cache** cache);
  /* All handles are released by now; every value goes through its deleter. */
  void (*destroy)(lf_cache*);
  /* In place of what the key had, but see `keeps_first`. The value is the cache's, also when it does not keep it; after
   * LF_FAILED it is still the caller's. With a `handle` the entry is held as by `lookup`. */
  lf_code (*insert)(lf_cache*, lf_bytes key, void* value, size_t charge, lf_cache_deleter,
                    lf_cache_handle** handle);
  /* Null: not there. The value stays valid until the handle is released, whatever becomes of the
   * entry meanwhile. */
  lf_cache_handle* (*lookup)(lf_cache*, lf_bytes key, void** value);
  void (*release)(lf_cache*, lf_cache_handle*);
  void (*erase)(lf_cache*, lf_bytes key);
  /* The sum of the charges now, with what it charges for itself. */
  uint64_t (*usage)(lf_cache*);
  /* What else it counts ("entries", "pinned_bytes", "slots"); may be null. */
  void (*counters)(lf_cache*, void* context, void (*sink)(void*, const char*, uint64_t));
} lf_cache_table;

/* The one symbol that a plug-in exports: const lf_cache_table* levelfield_cache(void). */
typedef const lf_cache_table* (*levelfield_cache_function)(void);

#ifdef __cplusplus
}
#endif

/* Exports a table, which must have static storage. */
#ifndef LEVELFIELD_EXPORT_CACHE
#define LEVELFIELD_EXPORT_CACHE(table)                                                         \
  extern "C" __attribute__((visibility("default"))) const lf_cache_table* levelfield_cache() { \
    return &(table);                                                                           \
  }
#endif

#endif
