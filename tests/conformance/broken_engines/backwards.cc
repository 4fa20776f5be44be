// Orders its keys from the last to the first.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.seek = [](lf_session* session, lf_seek how, lf_bytes key, lf_bytes* found,
                  lf_bytes* value) {
    constexpr lf_seek kOpposite[] = {LF_LAST, LF_FIRST, LF_AT_OR_BEFORE, LF_AT_OR_AFTER};
    return kEngine.seek(session, kOpposite[how], key, found, value);
  };
  table.next = kEngine.prev;
  table.prev = kEngine.next;
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("backwards", Break)
