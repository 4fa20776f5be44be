// Applies the first half of a batch of more than two entries, and says LF_OK.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.write = [](lf_session* session, const lf_entry* entries, size_t count) {
    return kEngine.write(session, entries, count > 2 ? count / 2 : count);
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("half_batch", Break)
