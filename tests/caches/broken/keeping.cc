// An erase is forgotten.
#include "sharded_map_with.h"

static void Break(lf_cache_table& table) {
  table.erase = [](lf_cache*, lf_bytes) {};
}

LEVELFIELD_EXPORT_BROKEN_CACHE("keeping", Break)
