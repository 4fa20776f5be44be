// Says that it keeps what it is told over a close, and does not.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("amnesiac");
  table.capabilities &= ~uint32_t{LF_VOLATILE};
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
