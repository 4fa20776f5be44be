// Loses one put in a thousand, and says LF_OK.
#include <atomic>

#include "memory_with.h"

static void Break(lf_engine& table) {
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    static std::atomic<int> puts = 0;
    if (++puts % 1000 == 0) return LF_OK;
    return kEngine.put(session, key, value);
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("forgetful", Break)
