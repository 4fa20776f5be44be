// Answers from a snapshot what is there now.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.get_at = [](lf_session* session, lf_snapshot*, lf_bytes key, lf_bytes* value) {
    return kEngine.get(session, key, value);
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("present_minded", Break)
