// Hands out a value that changes under the reader when somebody else writes.
#include "memory_with.h"

static lf_code HandOut(lf_session* session, lf_bytes key, lf_bytes* value) {
  static std::string shared;
  const lf_code code = kEngine.get(session, key, value);
  if (code != LF_OK) return code;
  shared.assign(value->data, value->size);
  *value = levelfield::Bytes(shared);
  return code;
}

static void Break(lf_engine& table) {
  table.get = HandOut;
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    lf_bytes now{};
    (void)HandOut(session, key, &now);
    const lf_code code = kEngine.put(session, key, value);
    (void)HandOut(session, key, &now);
    return code;
  };
}

LEVELFIELD_EXPORT_CHANGED_ENGINE("hanging_on", Break)
