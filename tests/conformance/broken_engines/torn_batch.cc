// Applies a batch whole, but one entry after the other, in sight of readers.
#include <thread>

#include "memory_with.h"

static void Break(lf_engine& table) {
  table.write = [](lf_session* session, const lf_entry* entries, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      (void)kEngine.write(session, entries + i, 1);
      std::this_thread::yield();
    }
    return LF_OK;
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("torn_batch", Break)
