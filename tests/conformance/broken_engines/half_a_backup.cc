// Makes backups that nobody can restore.
#include "memory_with.h"

namespace {

const lf_engine kBroken = [] {
  lf_engine table = SoundTable("half_a_backup");
  table.backup = [](lf_store*, const char*) { return LF_OK; };
  return table;
}();

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kBroken)
