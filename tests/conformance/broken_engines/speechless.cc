// Refuses an empty key without a word, where a reason is asked for.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("speechless");
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    return key.size == 0 ? levelfield::Unsupported("") : kEngine.put(session, key, value);
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
