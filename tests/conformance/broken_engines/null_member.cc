// Has no get.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("null_member");
  table.get = nullptr;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
