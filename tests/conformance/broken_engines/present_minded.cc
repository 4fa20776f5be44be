// Answers from a snapshot what is there now.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("present_minded");
  table.get_at = [](lf_session* session, lf_snapshot*, lf_bytes key, lf_bytes* value) {
    return kEngine.get(session, key, value);
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
