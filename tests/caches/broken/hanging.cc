// No insert behind the thousandth ever comes back.
#include "sharded_map_with.h"

static lf_code InsertAndHang(lf_cache* cache, lf_bytes key, void* value, size_t charge,
                             lf_cache_deleter deleter, lf_cache_handle** handle) {
  static std::mutex mutex;
  static int inserts = 0;
  mutex.lock();
  if (++inserts < 1000) mutex.unlock();
  return Insert(cache, key, value, charge, deleter, handle);
}
static void Break(lf_cache_table& table) { table.insert = InsertAndHang; }

LEVELFIELD_EXPORT_BROKEN_CACHE("hanging", Break)
