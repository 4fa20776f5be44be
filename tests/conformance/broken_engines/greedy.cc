// Erases the end of a range along with it.
#include "memory_with.h"

static void Break(lf_engine& table) {
  table.delete_range = [](lf_session* session, lf_bytes from, lf_bytes to) {
    lf_bytes key{};
    lf_bytes value{};
    while (kEngine.seek(session, LF_AT_OR_AFTER, from, &key, &value) == LF_OK &&
           levelfield::View(key) <= levelfield::View(to)) {
      const std::string found(key.data, key.size);
      (void)kEngine.erase(session, levelfield::Bytes(found));
    }
    return LF_OK;
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("greedy", Break)
