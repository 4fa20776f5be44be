// Takes twice the capacity.
#include "sharded_map_with.h"

static lf_code CreateTwice(const lf_cache_options* options, lf_cache** cache) {
  lf_cache_options twice = *options;
  twice.capacity *= 2;
  return Create(&twice, cache);
}
static void Break(lf_cache_table& table) { table.create = CreateTwice; }

LEVELFIELD_EXPORT_BROKEN_CACHE("hoarding", Break)
