// Says that its table is sixteen bytes long.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("wrong_size");
  table.struct_bytes = 16;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
