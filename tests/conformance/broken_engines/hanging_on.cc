// Hands out a value that changes under the reader when somebody else writes.
#include "memory_with.h"

namespace {

extern const lf_engine kBroken;
const lf_engine kBroken = [] {
  lf_engine table = SoundTable("hanging_on");
  table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
    static std::string shared;
    const lf_code code = kEngine.get(session, key, value);
    if (code != LF_OK) return code;
    shared.assign(value->data, value->size);
    *value = levelfield::Bytes(shared);
    return code;
  };
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    lf_bytes now{};
    (void)kBroken.get(session, key, &now);
    const lf_code code = kEngine.put(session, key, value);
    (void)kBroken.get(session, key, &now);
    return code;
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
