// Applies a batch whole, but one entry after the other, in sight of readers.
#include <thread>

#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("torn_batch");
  table.write = [](lf_session* session, const lf_entry* entries, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      (void)kEngine.write(session, entries + i, 1);
      std::this_thread::yield();
    }
    return LF_OK;
  };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
