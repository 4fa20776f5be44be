// Is no floor, and claims for every class what it does not state or keep.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("boastful");
  table.capabilities &= ~uint32_t{LF_FLOOR};
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
