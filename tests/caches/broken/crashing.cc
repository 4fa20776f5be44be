// Ends its process at the thousandth insert.
#include <cstdlib>

#include "sharded_map_with.h"

static lf_code InsertAndCrash(lf_cache* cache, lf_bytes key, void* value, size_t charge,
                              lf_cache_deleter deleter, lf_cache_handle** handle) {
  static std::mutex mutex;
  static int inserts = 0;
  {
    const std::lock_guard lock(mutex);
    if (++inserts == 1000) std::abort();
  }
  return Insert(cache, key, value, charge, deleter, handle);
}
static void Break(lf_cache_table& table) { table.insert = InsertAndCrash; }

LEVELFIELD_EXPORT_BROKEN_CACHE("crashing", Break)
