// Refuses an empty key without a word, where a reason is asked for.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    return key.size == 0 ? levelfield::Unsupported("") : kEngine.put(session, key, value);
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("speechless", Break)
