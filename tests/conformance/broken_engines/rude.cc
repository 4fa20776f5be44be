// Fails, where it should say that it does not support, and so ends a phase for no fault.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    return key.size > 511 ? levelfield::Failed("key too long") : kEngine.put(session, key, value);
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("rude", Break)
