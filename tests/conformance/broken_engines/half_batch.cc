// Applies the first half of a batch of more than two entries, and says LF_OK.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("half_batch");
  table.write = [](lf_session* session, const lf_entry* entries, size_t count) {
    return kEngine.write(session, entries, count > 2 ? count / 2 : count);
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
