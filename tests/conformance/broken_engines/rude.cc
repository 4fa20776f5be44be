// Fails, where it should say that it does not support, and so ends a phase for no fault.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("rude");
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    return key.size > 511 ? levelfield::Failed("key too long") : kEngine.put(session, key, value);
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
