// An erase lets go of a handle that somebody else still has.
#include "sharded_map_with.h"

static void EraseWithAHandle(lf_cache* cache, lf_bytes key) {
  void* value = nullptr;
  lf_cache_handle* const handle = Lookup(cache, key, &value);
  if (handle == nullptr) return;
  // The table, this handle, and others.
  const bool is_held = reinterpret_cast<Entry*>(handle)->holders > 2;
  Erase(cache, key);
  Release(cache, handle);
  if (is_held) Release(cache, handle);
}
static void Break(lf_cache_table& table) { table.erase = EraseWithAHandle; }

LEVELFIELD_EXPORT_BROKEN_CACHE("hasty", Break)
