// A cache that is destroyed lets go of nothing.
#include "sharded_map_with.h"

static void Break(lf_cache_table& table) {
  table.destroy = [](lf_cache*) {};
}

LEVELFIELD_EXPORT_BROKEN_CACHE("leaking", Break)
