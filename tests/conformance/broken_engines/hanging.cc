// Never comes back from a put of this key, without reading or writing anything.
#include <unistd.h>

#include "memory_with.h"

static lf_code Put(lf_session* session, lf_bytes key, lf_bytes value) {
  while (levelfield::View(key) == "when") pause();
  return kEngine.put(session, key, value);
}

static void Change(lf_engine& table) { table.put = Put; }

LEVELFIELD_EXPORT_CHANGED_ENGINE("hanging", Change)
