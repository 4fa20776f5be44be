// Takes keys and values for C strings, and stops at a NUL.
#include <cstring>

#include "memory_with.h"

static void Break(lf_engine& table) {
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    value.size = strnlen(value.data, value.size);
    return kEngine.put(session, key, value);
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("textual", Break)
