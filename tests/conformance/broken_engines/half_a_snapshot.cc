// Takes snapshots that nobody can release.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("half_a_snapshot");
  table.release_snapshot = nullptr;
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
