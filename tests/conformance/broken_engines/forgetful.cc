// Loses one put in a thousand, and says LF_OK.
#include <atomic>

#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("forgetful");
  table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
    static std::atomic<int> puts = 0;
    if (++puts % 1000 == 0) return LF_OK;
    return kEngine.put(session, key, value);
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
